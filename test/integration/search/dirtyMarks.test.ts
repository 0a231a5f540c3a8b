import { expect } from 'chai';
import { openTestContext } from '../../support/context.js';
import { createUser } from '../../support/users.js';
import { marksOf, seedVod, waitingJobs } from './searchFixtures.js';
import { useFixture } from '../../support/fixtures.js';

describe('dirty marks', () => {
  const ctx = useFixture(openTestContext);

  beforeEach(() => ctx.db.rows('TRUNCATE search_marks, outbox, vod_items, box_items, contents CASCADE'));

  it('are rolled back with the transaction', async () => {
    const undone = ctx.db.transaction(async (tx) => {
      await ctx.search.markDirty(tx, 'vod', 'some-item');
      throw new Error('undo');
    });
    expect(await undone.catch(String)).to.contain('undo');
    expect(await marksOf(ctx)).to.deep.equal([]);
    expect(await waitingJobs(ctx)).to.deep.equal([]);
  });

  it('exist once per document, with a version that each change increments', async () => {
    await ctx.db.transaction((tx) => ctx.search.markDirty(tx, 'vod', ['b', 'a', 'b']));
    expect(await marksOf(ctx)).to.deep.equal(['vod a 1', 'vod b 1']);
    await ctx.db.transaction((tx) => ctx.search.markDirty(tx, 'vod', 'a'));
    expect(await marksOf(ctx)).to.deep.equal(['vod a 2', 'vod b 1']);
  });

  it('cover every document that is built from the changed entity', async () => {
    const ownerId = await createUser(ctx);
    const first = await seedVod(ctx, ownerId);
    const second = await seedVod(ctx, ownerId);
    await seedVod(ctx, await createUser(ctx));
    const marksAfter = async (entity: string, id: string) => {
      await ctx.db.rows('TRUNCATE search_marks');
      await ctx.db.transaction((tx) => ctx.search.markDirty(tx, entity, id));
      return marksOf(ctx);
    };
    expect(await marksAfter('vod', first.vodId)).to.deep.equal([`vod ${first.vodId} 1`]);
    expect(await marksAfter('box', first.boxId)).to.deep.equal([`box ${first.boxId} 1`, `vod ${first.vodId} 1`]);
    expect(await marksAfter('content', first.contentId)).to.deep.equal([`vod ${first.vodId} 1`]);
    expect(await marksAfter('user', ownerId)).to.deep.equal([
      `user ${ownerId} 1`,
      ...[`vod ${first.vodId} 1`, `vod ${second.vodId} 1`].toSorted(),
    ]);
    expect(await marksAfter('something', first.vodId)).to.deep.equal([]);
  });

  it('add one drain job per transaction, and none if nothing was marked', () =>
    ctx.db.transaction(async (tx) => {
      await ctx.search.markDirty(tx, 'something', 'x');
      await ctx.search.markDirty(tx, 'vod', []);
      const [before] = await ctx.db.rows<{ count: number }>('SELECT count(*)::int AS count FROM outbox', {}, tx);
      expect(before?.count).to.equal(0);
      for (const id of ['a', 'b', 'c']) await ctx.search.markDirty(tx, 'vod', id);
      const jobs = await ctx.db.rows<{ job: string; payload: object }>('SELECT job, payload FROM outbox', {}, tx);
      expect(jobs).to.deep.equal([{ job: 'search.drain', payload: { engine: 'postgres' } }]);
    }));

  it('cause no deadlock between transactions that mark the same documents in opposite order', async () => {
    const ids = Array.from({ length: 300 }, (_, number) => `item-${number}`);
    const mark = (some: readonly string[]) => ctx.db.transaction((tx) => ctx.search.markDirty(tx, 'vod', some));
    await Promise.all(Array.from({ length: 12 }, (_, number) => mark(number % 2 === 0 ? ids : ids.toReversed())));
    const marks = await marksOf(ctx);
    expect(marks).to.have.length(300);
    expect(marks.every((one) => one.endsWith(' 12'))).to.equal(true);
  });

  it('are inserted in one statement for many documents', async function bulk() {
    this.timeout(60_000);
    const ids = Array.from({ length: 100_000 }, (_, number) => `item-${number}`);
    await ctx.db.transaction((tx) => ctx.search.markDirty(tx, 'vod', ids));
    const [row] = await ctx.db.rows<{ count: number }>('SELECT count(*)::int AS count FROM search_marks');
    expect(row?.count).to.equal(100_000);
  });
});
