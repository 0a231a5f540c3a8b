import { expect } from 'chai';
import { boxIndex } from '../../../shared/box/box.index.js';
import { openContext, type OpenContext } from '../../../shared/openContext.js';
import { readConfig } from '../../../shared/settings.js';
import { openTestContext, type TestContext } from '../../support/context.js';
import { seedBoxItem } from '../../support/contents.js';
import { eventually } from '../../support/eventually.js';
import { createUser } from '../../support/users.js';
import { findInBox, marksOf } from './searchFixtures.js';
import { startFakeMeilisearch } from './fakeMeilisearch.js';
import { changeRow } from '../../support/rows.js';
import { BoxItem } from '../../../shared/box/box.model.js';
import { fixtureEach } from '../../support/fixtures.js';

describe('search with Meilisearch', () => {
  const server = fixtureEach(startFakeMeilisearch);
  const ctx = fixtureEach(() => openTestContext({ MEILI_URL: server.url, MEILI_API_KEY: 'a-secret-key' }));
  let ownerId: string;

  beforeEach(async () => {
    ownerId = await createUser(ctx);
    await ctx.db.rows('TRUNCATE search_marks');
  });

  const drainBoth = async () => {
    await ctx.search.maintenance.drain('postgres');
    await ctx.search.maintenance.drain('meilisearch');
    // The state of index builds is cached for some seconds.
    ctx.clock.advance(6_000);
  };

  const rename = (boxId: string, title: string) =>
    ctx.db.transaction(async (tx) => {
      await changeRow(ctx, BoxItem, boxId, { title }, tx);
      await ctx.search.markDirty(tx, 'box', boxId);
    });

  it('writes to both engines, and searches in Meilisearch only for words', async () => {
    const { boxId } = await seedBoxItem(ctx, ownerId, { title: 'Cockatoo' });
    expect(await marksOf(ctx, 'postgres')).to.deep.equal([`box ${boxId} 1`]);
    expect(await marksOf(ctx, 'meilisearch')).to.deep.equal([`box ${boxId} 1`]);
    await drainBoth();
    expect(await findInBox(ctx, ownerId, 'cockatoo')).to.deep.equal([boxId]);
    expect(server.searches).to.equal(1);
    expect(await findInBox(ctx, ownerId)).to.deep.equal([boxId]);
    expect(server.searches).to.equal(1);
    expect(await ctx.search.health()).to.deep.equal({ engine: 'meilisearch', ok: true, active: 'meilisearch' });
  });

  it('uses PostgreSQL for words in any order other than relevance', async () => {
    const { boxId } = await seedBoxItem(ctx, ownerId, { title: 'Cockatoo' });
    ctx.clock.advance(1_000);
    const { boxId: less } = await seedBoxItem(ctx, ownerId, { title: 'Bird', description: 'a cockatoo' });
    await drainBoth();
    const page = { pageSize: 20, pageIndex: 0, pagination: true };
    const query = { text: 'cockatoo', groups: ['content'] as const, filters: {}, page };
    const find = async (sort: string, isRanked: boolean) =>
      (await ctx.search.query(boxIndex, { ...query, sort: [sort], isRanked })).ids;
    expect(await find('-createdAt', false)).to.deep.equal([less, boxId]);
    expect(await find('createdAt', false)).to.deep.equal([boxId, less]);
    expect(server.searches).to.equal(0);
    expect(await find('-createdAt', true)).to.have.members([boxId, less]);
    expect(server.searches).to.equal(1);
  });

  it('uses PostgreSQL until Meilisearch has built the index', async () => {
    const { boxId } = await seedBoxItem(ctx, ownerId, { title: 'Cockatoo' });
    await ctx.search.maintenance.drain('postgres');
    expect(await findInBox(ctx, ownerId, 'cockatoo')).to.deep.equal([boxId]);
    expect(server.searches).to.equal(0);
    expect(await ctx.search.health()).to.deep.equal({ engine: 'meilisearch', ok: true, active: 'postgres' });
  });

  it('loses no change while Meilisearch is down, and uses PostgreSQL', async () => {
    const { boxId } = await seedBoxItem(ctx, ownerId, { title: 'Cockatoo' });
    await drainBoth();
    await server.close();
    await rename(boxId, 'Parrot');
    await ctx.search.maintenance.drain('postgres');
    expect(await ctx.search.maintenance.drain('meilisearch').catch(String)).to.contain('failed');
    expect(await marksOf(ctx, 'postgres')).to.deep.equal([]);
    expect(await marksOf(ctx, 'meilisearch')).to.deep.equal([`box ${boxId} 1`]);
    for (let times = 0; times < 5; times += 1) expect(await findInBox(ctx, ownerId, 'parrot')).to.deep.equal([boxId]);
    expect(await ctx.search.health()).to.deep.equal({ engine: 'meilisearch', ok: false, active: 'postgres' });

    await server.start();
    await drainBoth();
    expect(await marksOf(ctx, 'meilisearch')).to.deep.equal([]);
    const before = server.searches;
    await eventually(async () => {
      expect(await findInBox(ctx, ownerId, 'parrot')).to.deep.equal([boxId]);
      expect(server.searches).to.be.greaterThan(before);
    });
    expect(await ctx.search.health()).to.deep.equal({ engine: 'meilisearch', ok: true, active: 'meilisearch' });
  });

  it('uses PostgreSQL while Meilisearch is far behind', async () => {
    const { boxId } = await seedBoxItem(ctx, ownerId, { title: 'Cockatoo' });
    await drainBoth();
    await rename(boxId, 'Parrot');
    await ctx.search.maintenance.drain('postgres');
    ctx.clock.advance(31_000);
    expect(await findInBox(ctx, ownerId, 'parrot')).to.deep.equal([boxId]);
    expect(server.searches).to.equal(0);
  });

  it('uses PostgreSQL until the indexes are rebuilt after Meilisearch was removed from the settings for a while', async () => {
    const { boxId } = await seedBoxItem(ctx, ownerId, { title: 'Cockatoo' });
    await drainBoth();
    const without = await openWithoutMeilisearch(ctx);
    await without.search.maintenance.drain('meilisearch');
    await without.db.transaction((tx) => without.search.markDirty(tx, 'box', boxId));
    await without.close();
    ctx.clock.advance(6_000);
    expect(await findInBox(ctx, ownerId, 'cockatoo')).to.deep.equal([boxId]);
    expect(server.searches).to.equal(0);
  });
});

/** The context of another process without Meilisearch. */
function openWithoutMeilisearch(ctx: TestContext): Promise<OpenContext> {
  const { MEILI_URL: _, ...env } = ctx.env;
  return openContext(readConfig('worker', env), { clock: ctx.clock });
}
