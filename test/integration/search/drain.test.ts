import { expect } from 'chai';
import { createPostgresEngine } from '../../../shared/platform/search/postgres/postgresEngine.js';
import type { SearchEngine } from '../../../shared/platform/search/search.js';
import { openTestContext, type TestContext } from '../../support/context.js';
import { seedBoxItem } from '../../support/contents.js';
import { eventually } from '../../support/eventually.js';
import { createUser } from '../../support/users.js';
import { startWorkers } from '../../support/workers.js';
import { findInBox, findVisible, marksOf, seedVod, upkeepOf, waitingJobs } from './searching.js';

describe('search drain', () => {
  let ctx: TestContext;
  let ownerId: string;

  before(async () => {
    ctx = await openTestContext();
    await ctx.search.upkeep.drain('postgres');
  });

  beforeEach(async () => {
    await ctx.db.rows(
      'TRUNCATE search_dirty, search_documents_box, search_documents_vod, vod_items, box_items, contents CASCADE',
    );
    ownerId = await createUser(ctx);
  });

  after(() => ctx.close());

  const rename = (boxId: string, title: string) =>
    ctx.db.transaction(async (tx) => {
      await ctx.db.change('UPDATE box_items SET title = $title WHERE id = $boxId', { title, boxId }, tx);
      await ctx.search.markDirty(tx, 'box', boxId);
    });

  /** The real engine, with something that happens just before each write. */
  const engineWith = (before: () => Promise<unknown>): SearchEngine => {
    const engine = createPostgresEngine(ctx.db);
    return { ...engine, write: (...parameters) => before().then(() => engine.write(...parameters)) };
  };

  it('makes a change searchable, by the workers alone', async () => {
    const workers = await startWorkers(ctx, { queues: ['search-sync'] });
    try {
      const { boxId } = await seedBoxItem(ctx, ownerId, { title: 'Cockatoo', tags: ['white'] });
      await eventually(async () => expect(await findInBox(ctx, ownerId, 'cockatoo')).to.deep.equal([boxId]));
      await rename(boxId, 'Parrot');
      await eventually(async () => expect(await findInBox(ctx, ownerId, 'parrot')).to.deep.equal([boxId]));
      expect(await findInBox(ctx, ownerId, 'cockatoo')).to.deep.equal([]);
      await eventually(async () => expect(await marksOf(ctx)).to.deep.equal([]));
    } finally {
      await workers.close();
    }
  });

  it('removes what has no row any more', async () => {
    const { boxId } = await seedBoxItem(ctx, ownerId, { title: 'Cockatoo' });
    await ctx.search.upkeep.drain('postgres');
    expect(await findInBox(ctx, ownerId, 'cockatoo')).to.deep.equal([boxId]);
    await ctx.db.transaction(async (tx) => {
      await ctx.db.change('DELETE FROM box_items WHERE id = $boxId', { boxId }, tx);
      await ctx.search.markDirty(tx, 'box', boxId);
    });
    await ctx.search.upkeep.drain('postgres');
    expect(await findInBox(ctx, ownerId)).to.deep.equal([]);
  });

  it('hides from others what is not public, not ready, or of a publisher who is not to be found', async () => {
    const { vodId, contentId } = await seedVod(ctx, ownerId, { title: 'Cockatoo' });
    await seedVod(ctx, ownerId, { title: 'Cockatoo', public: false });
    const visible = async () => {
      await ctx.search.upkeep.drain('postgres');
      return findVisible(ctx, 'cockatoo');
    };
    const change = (entity: string, id: string, sql: string) =>
      ctx.db.transaction(async (tx) => {
        await ctx.db.change(sql, { id }, tx);
        await ctx.search.markDirty(tx, entity, id);
      });
    expect(await visible()).to.deep.equal([vodId]);
    await change('content', contentId, `UPDATE contents SET state = 'FAILED' WHERE id = $id`);
    expect(await visible()).to.deep.equal([]);
    await change('content', contentId, `UPDATE contents SET state = 'READY' WHERE id = $id`);
    expect(await visible()).to.deep.equal([vodId]);
    await change('user', ownerId, 'UPDATE users SET vod_public = false WHERE id = $id');
    expect(await visible()).to.deep.equal([]);
    await change('user', ownerId, 'UPDATE users SET vod_public = true WHERE id = $id');
    expect(await visible()).to.deep.equal([vodId]);
    await change('user', ownerId, `UPDATE users SET state = 'DISABLED' WHERE id = $id`);
    expect(await visible()).to.deep.equal([]);
  });

  it('keeps the mark of a document that changes while it is written', async () => {
    const { boxId } = await seedBoxItem(ctx, ownerId, { title: 'First' });
    let changes = 0;
    const upkeep = upkeepOf(
      ctx,
      engineWith(async () => {
        changes += 1;
        if (changes > 1) return;
        expect(await marksOf(ctx)).to.deep.equal([`box ${boxId} 1`]);
        await rename(boxId, 'Second');
      }),
    );
    await upkeep.drain('postgres');
    // The first pass wrote the old row and cleared nothing; the change has asked for a drain of its own.
    expect(await marksOf(ctx)).to.deep.equal([`box ${boxId} 2`]);
    expect(await findInBox(ctx, ownerId, 'first')).to.deep.equal([boxId]);
    await upkeep.drain('postgres');
    expect(await marksOf(ctx)).to.deep.equal([]);
    expect(await findInBox(ctx, ownerId, 'second')).to.deep.equal([boxId]);
  });

  it('of two drains at once lets the later one count, and loses nothing', async () => {
    const { boxId } = await seedBoxItem(ctx, ownerId, { title: 'First' });
    let once = false;
    const slow = upkeepOf(
      ctx,
      engineWith(async () => {
        if (once) return;
        once = true;
        // While the slow one holds the old row, the document changes and another drain writes and clears it.
        await rename(boxId, 'Second');
        await ctx.search.upkeep.drain('postgres');
        expect(await findInBox(ctx, ownerId, 'second')).to.deep.equal([boxId]);
        expect(await marksOf(ctx)).to.deep.equal([]);
      }),
    );
    await slow.drain('postgres');
    expect(await marksOf(ctx)).to.deep.equal([`box ${boxId} 1`]);
    await ctx.search.upkeep.drain('postgres');
    expect(await findInBox(ctx, ownerId, 'second')).to.deep.equal([boxId]);
  });

  it('is done twice at once without harm', async () => {
    for (let number = 0; number < 30; number += 1) await seedBoxItem(ctx, ownerId, { title: `Number ${number}` });
    await Promise.all([
      ctx.search.upkeep.drain('postgres'),
      ctx.search.upkeep.drain('postgres'),
      ctx.search.upkeep.drain('postgres'),
    ]);
    await ctx.search.upkeep.drain('postgres');
    expect(await marksOf(ctx)).to.deep.equal([]);
    expect(await findInBox(ctx, ownerId, 'number')).to.have.length(20);
  });

  it('does not wait for a transaction that holds a mark', async () => {
    const held = await seedBoxItem(ctx, ownerId, { title: 'Held' });
    const free = await seedBoxItem(ctx, ownerId, { title: 'Free' });
    await ctx.db.transaction(async (tx) => {
      await ctx.search.markDirty(tx, 'box', held.boxId);
      await ctx.search.upkeep.drain('postgres');
      expect(await findInBox(ctx, ownerId, 'free')).to.deep.equal([free.boxId]);
      expect(await marksOf(ctx)).to.deep.equal([`box ${held.boxId} 1`]);
    });
    await ctx.search.upkeep.drain('postgres');
    expect(await marksOf(ctx)).to.deep.equal([]);
  });

  it('leaves the marks when the engine fails, and stops when it is told to', async () => {
    const { boxId } = await seedBoxItem(ctx, ownerId, { title: 'Kept' });
    const failing = upkeepOf(
      ctx,
      engineWith(() => Promise.reject(new Error('engine is away'))),
    );
    expect(await failing.drain('postgres').catch(String)).to.contain('engine is away');
    expect(await marksOf(ctx)).to.deep.equal([`box ${boxId} 1`]);
    const stopped = await ctx.search.upkeep
      .drain('postgres', AbortSignal.abort(new Error('shutting down')))
      .catch(String);
    expect(stopped).to.contain('shutting down');
    expect(await marksOf(ctx)).to.deep.equal([`box ${boxId} 1`]);
  });

  it('writes more than one batch, in several indexes', async function batches() {
    this.timeout(60_000);
    const { contentId } = await seedBoxItem(ctx, ownerId);
    const insert = `INSERT INTO box_items (id, owner_id, content_id, source, title, created_at, updated_at)
      SELECT gen_random_uuid(), $ownerId, $contentId, 'UPLOAD', 'Many', now(), now() FROM generate_series(1, 2500)`;
    await ctx.db.change(insert, { ownerId, contentId });
    await ctx.db.change(
      `INSERT INTO vod_items (id, owner_id, box_item_id, license_type, published_at, updated_at)
       SELECT gen_random_uuid(), owner_id, id, 'FREE', now(), now() FROM box_items LIMIT 1200`,
    );
    const rows = await ctx.db.rows<{ id: string }>('SELECT id FROM box_items');
    await ctx.db.transaction((tx) =>
      ctx.search.markDirty(
        tx,
        'box',
        rows.map(({ id }) => id),
      ),
    );
    expect(await ctx.search.upkeep.drain('postgres')).to.equal(2501 + 1200);
    const [count] = await ctx.db.rows(
      'SELECT (SELECT count(*)::int FROM search_documents_box) AS box, (SELECT count(*)::int FROM search_documents_vod) AS vod',
    );
    expect(count).to.deep.equal({ box: 2501, vod: 1200 });
    expect(await marksOf(ctx)).to.deep.equal([]);
    expect(await waitingJobs(ctx)).to.be.an('array');
  });
});
