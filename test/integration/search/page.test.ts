import { expect } from 'chai';
import { boxIndex } from '../../../shared/box/box.index.js';
import { seedBoxItem } from '../../support/contents.js';
import { createUser } from '../../support/users.js';
import { serviceFixture } from '../../support/service.js';

describe('a page of hits', () => {
  const { ctx } = serviceFixture();
  let ownerId: string;
  const boxIds: string[] = [];

  before(async () => {
    ownerId = await createUser(ctx);
    for (let number = 0; number < 7; number += 1) {
      ctx.clock.advance(1_000);
      boxIds.unshift((await seedBoxItem(ctx, ownerId, { title: `Video ${number}` })).boxId);
    }
    await ctx.search.maintenance.drain('postgres');
  });

  const pageOf = (
    page: { pageSize: number; pageIndex: number; pagination: boolean },
    load: (ids: readonly string[]) => string[],
  ) =>
    ctx.search.page(
      boxIndex,
      { text: 'video', groups: ['content'], filters: { ownerId: { equal: ownerId } }, sort: ['-createdAt'], page },
      async (ids) => new Map(load(ids).map((id) => [id, `item ${id}`])),
    );

  const rendered = (some: readonly string[]) => some.map((id) => `item ${id}`);

  it('contains the loaded rows in the order of the hits', async () => {
    const page = await pageOf({ pageSize: 3, pageIndex: 1, pagination: true }, (ids) => ids.toReversed());
    expect(page).to.deep.equal({
      items: rendered(boxIds.slice(3, 6)),
      pageSize: 3,
      pageIndex: 1,
      totalCount: 7,
      pageCount: 3,
    });
  });

  it('omits rows that were not loaded, also from the total', async () => {
    const page = await pageOf({ pageSize: 3, pageIndex: 0, pagination: true }, (ids) => ids.slice(1));
    expect(page).to.deep.equal({
      items: rendered(boxIds.slice(1, 3)),
      pageSize: 3,
      pageIndex: 0,
      totalCount: 6,
      pageCount: 2,
    });
  });

  it('loads no rows without hits', async () => {
    const page = await pageOf({ pageSize: 3, pageIndex: 9, pagination: true }, () => expect.fail('rows were loaded'));
    expect(page).to.deep.equal({ items: [], pageSize: 3, pageIndex: 9, totalCount: 7, pageCount: 3 });
  });

  it('contains all hits without pagination', async () => {
    const page = await pageOf({ pageSize: 3, pageIndex: 1, pagination: false }, (ids) => [...ids]);
    expect(page).to.deep.equal({ items: rendered(boxIds), pageSize: 7, pageIndex: 0, totalCount: 7, pageCount: 1 });
  });
});
