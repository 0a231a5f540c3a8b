import { expect } from 'chai';
import { createPostgresEngine } from '../../../shared/platform/search/postgres/postgresEngine.js';
import type { SearchEngine } from '../../../shared/platform/search/search.js';
import { openTestContext } from '../../support/context.js';
import { seedBoxItem, changeRow } from '../../support/rows.js';
import { eventually } from '../../support/eventually.js';
import { createUser } from '../../support/users.js';
import { startWorkers } from '../../support/workers.js';
import { findInBox, marksOf, seedVod, maintenanceOf, waitingJobs } from './searchFixtures.js';
import { BoxItem } from '../../../shared/box/box.model.js';
import { useFixture } from '../../support/fixtures.js';

describe('the search drain', () => {
  const ctx = useFixture(openTestContext);
  let ownerId: string;

  before(() => ctx.search.maintenance.drain('postgres'));

  beforeEach(async () => {
    ownerId = await createUser(ctx);
    await ctx.db.rows(
      'TRUNCATE search_marks, search_documents_box, search_documents_vod, vod_items, box_items, contents CASCADE',
    );
  });

  const rename = (boxId: string, title: string) =>
    ctx.db.transaction(async (tx) => {
      await changeRow(ctx, BoxItem, boxId, { title }, tx);
      await ctx.search.markDirty(tx, 'box', boxId);
    });

  /** The PostgreSQL engine, which calls `before` before each write. */
  const engineWith = (before: () => Promise<unknown>): SearchEngine => {
    const engine = createPostgresEngine(ctx.db);
    return { ...engine, write: (...parameters) => before().then(() => engine.write(...parameters)) };
  };

  it('makes a change searchable when workers run', async () => {
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

  it('loads few documents at a time if their captions are long', async () => {
    for (let count = 0; count < 150; count += 1) await seedBoxItem(ctx, ownerId);
    await ctx.db.change(
      `INSERT INTO captions (id, content_id, origin, language, label, kind, cues, words, bytes, created_at, updated_at)
       SELECT gen_random_uuid(), id, 'OWNER', 'en', 'English', 'captions', '[]', repeat('word ', 18000), 0, now(), now()
         FROM contents WHERE owner_id = $ownerId`,
      { ownerId },
    );
    const written: number[] = [];
    const engine = createPostgresEngine(ctx.db);
    const measured: SearchEngine = {
      ...engine,
      write(index, documents, removed) {
        if (index.name === 'box') written.push(JSON.stringify(documents).length);
        return engine.write(index, documents, removed);
      },
    };
    await maintenanceOf(ctx, measured).drain('postgres');
    expect(written.reduce((sum, length) => sum + length, 0)).to.be.above(150 * 90_000);
    expect(Math.max(...written)).to.be.below(9 * 1024 ** 2);
    expect(await marksOf(ctx)).to.deep.equal([]);
  });

  it('keeps the mark of a document that changes while it is written', async () => {
    const { boxId } = await seedBoxItem(ctx, ownerId, { title: 'First' });
    let changes = 0;
    const maintenance = maintenanceOf(
      ctx,
      engineWith(async () => {
        changes += 1;
        if (changes > 1) return;
        expect(await marksOf(ctx)).to.deep.equal([`box ${boxId} 1`]);
        await rename(boxId, 'Second');
      }),
    );
    await maintenance.drain('postgres');
    // The first pass wrote the old row and kept the mark; the change has added a drain job.
    expect(await marksOf(ctx)).to.deep.equal([`box ${boxId} 2`]);
    expect(await findInBox(ctx, ownerId, 'first')).to.deep.equal([boxId]);
    await maintenance.drain('postgres');
    expect(await marksOf(ctx)).to.deep.equal([]);
    expect(await findInBox(ctx, ownerId, 'second')).to.deep.equal([boxId]);
  });

  it('lets only the later of two concurrent drains clear marks, and loses no change', async () => {
    const { boxId } = await seedBoxItem(ctx, ownerId, { title: 'First' });
    let once = false;
    const slow = maintenanceOf(
      ctx,
      engineWith(async () => {
        if (once) return;
        once = true;
        // While the slow drain holds the old row, the document changes, and another drain writes it and clears its mark.
        await rename(boxId, 'Second');
        await ctx.search.maintenance.drain('postgres');
        expect(await findInBox(ctx, ownerId, 'second')).to.deep.equal([boxId]);
        expect(await marksOf(ctx)).to.deep.equal([]);
      }),
    );
    await slow.drain('postgres');
    expect(await marksOf(ctx)).to.deep.equal([`box ${boxId} 1`]);
    await ctx.search.maintenance.drain('postgres');
    expect(await findInBox(ctx, ownerId, 'second')).to.deep.equal([boxId]);
  });

  it('does not wait for a transaction that has locked a mark', async () => {
    const held = await seedBoxItem(ctx, ownerId, { title: 'Held' });
    const free = await seedBoxItem(ctx, ownerId, { title: 'Free' });
    await ctx.db.transaction(async (tx) => {
      await ctx.search.markDirty(tx, 'box', held.boxId);
      await ctx.search.maintenance.drain('postgres');
      expect(await findInBox(ctx, ownerId, 'free')).to.deep.equal([free.boxId]);
      expect(await marksOf(ctx)).to.deep.equal([`box ${held.boxId} 1`]);
    });
    await ctx.search.maintenance.drain('postgres');
    expect(await marksOf(ctx)).to.deep.equal([]);
  });

  it('keeps the marks if the engine fails, and stops if the signal aborts', async () => {
    const { boxId } = await seedBoxItem(ctx, ownerId, { title: 'Kept' });
    const failing = maintenanceOf(
      ctx,
      engineWith(() => Promise.reject(new Error('engine is down'))),
    );
    expect(await failing.drain('postgres').catch(String)).to.contain('engine is down');
    expect(await marksOf(ctx)).to.deep.equal([`box ${boxId} 1`]);
    const stopped = await ctx.search.maintenance
      .drain('postgres', AbortSignal.abort(new Error('shutting down')))
      .catch(String);
    expect(stopped).to.contain('shutting down');
    expect(await marksOf(ctx)).to.deep.equal([`box ${boxId} 1`]);
  });

  it('writes several batches to several indexes', async function batches() {
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
    expect(await ctx.search.maintenance.drain('postgres')).to.equal(2501 + 1200);
    const [count] = await ctx.db.rows(
      'SELECT (SELECT count(*)::int FROM search_documents_box) AS box, (SELECT count(*)::int FROM search_documents_vod) AS vod',
    );
    expect(count).to.deep.equal({ box: 2501, vod: 1200 });
    expect(await marksOf(ctx)).to.deep.equal([]);
    expect(await waitingJobs(ctx)).to.be.an('array');
  });
});

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
});
