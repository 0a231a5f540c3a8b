import { randomUUID } from 'node:crypto';
import { PassThrough } from 'node:stream';
import { expect } from 'chai';
import { indexes } from '../../../shared/indexes.js';
import { boxIndex } from '../../../shared/box/box.index.js';
import { createPostgresEngine } from '../../../shared/platform/search/postgres/postgresEngine.js';
import type { SearchEngine } from '../../../shared/platform/search/search.js';
import { openTestContext } from '../../support/context.js';
import { seedBoxItem, changeRow, removeRows, changeRows } from '../../support/rows.js';
import { createUser } from '../../support/users.js';
import { findInBox, marksOf, maintenanceOf, waitingJobs } from './searchFixtures.js';
import { BoxItem } from '../../../shared/box/box.model.js';
import { fixtureEach, useFixture } from '../../support/fixtures.js';
import { SearchBuild } from '../../../shared/platform/search/search.model.js';
import { reindex } from '../../../scripts/reindex.js';

describe('search maintenance', () => {
  const ctx = fixtureEach(openTestContext);
  let ownerId: string;

  beforeEach(async () => {
    ownerId = await createUser(ctx);
  });

  const rename = (boxId: string, title: string) =>
    ctx.db.transaction(async (tx) => {
      await changeRow(ctx, BoxItem, boxId, { title }, tx);
      await ctx.search.markDirty(tx, 'box', boxId);
    });

  /** Inserts `count` box items without marks, after one with a mark. */
  async function insertUnmarked(count: number): Promise<void> {
    const { contentId } = await seedBoxItem(ctx, ownerId);
    await ctx.db.change(
      `INSERT INTO box_items (id, owner_id, content_id, source, title, created_at, updated_at)
       SELECT gen_random_uuid(), $ownerId, $contentId, 'UPLOAD', 'Unmarked', now(), now() FROM generate_series(1, $count::int)`,
      { ownerId, contentId, count },
    );
  }

  const boxDrift = (counts: object) => ({
    ...{ engine: 'postgres', index: 'box', missing: 0, dangling: 0, outdated: 0 },
    ...counts,
  });

  describe('in a drift sweep', () => {
    it('finds missing and dangling documents, and the drain repairs them', async () => {
      const { boxId } = await seedBoxItem(ctx, ownerId, { title: 'Kept' });
      await ctx.search.maintenance.drain('postgres');
      const engine = createPostgresEngine(ctx.db);
      await engine.write(boxIndex, [{ id: randomUUID(), title: 'Dangling', ownerId, createdAt: 0 }], [boxId]);
      expect(await findInBox(ctx, ownerId, 'dangling')).to.have.length(1);
      const found = await ctx.search.maintenance.sweepDrift();
      expect(found[0]).to.deep.equal(boxDrift({ missing: 1, dangling: 1 }));
      expect(found.map(({ index }) => index)).to.deep.equal(indexes.map(({ name }) => name));
      await ctx.search.maintenance.drain('postgres');
      expect(await findInBox(ctx, ownerId)).to.deep.equal([boxId]);
      const left = await ctx.search.maintenance.sweepDrift();
      expect(left.filter(({ missing, dangling, outdated }) => missing + dangling + outdated > 0)).to.deep.equal([]);
    });

    it('finds documents that changed without a mark, and the drain repairs them', async () => {
      const { boxId } = await seedBoxItem(ctx, ownerId, { title: 'Before' });
      await seedBoxItem(ctx, ownerId, { title: 'Untouched' });
      await ctx.search.maintenance.drain('postgres');
      await changeRow(ctx, BoxItem, boxId, { title: 'After' });
      expect((await ctx.search.maintenance.sweepDrift())[0]).to.deep.equal(boxDrift({ outdated: 1 }));
      expect(await marksOf(ctx)).to.deep.equal([`box ${boxId} 1`]);
      await ctx.search.maintenance.drain('postgres');
      expect(await findInBox(ctx, ownerId, 'after')).to.deep.equal([boxId]);
      expect((await ctx.search.maintenance.sweepDrift())[0]).to.include({ outdated: 0 });
    });

    it('does not count marked documents as drift', async () => {
      const { boxId } = await seedBoxItem(ctx, ownerId, { title: 'First' });
      const waiting = { missing: 0, dangling: 0, outdated: 0 };
      expect((await ctx.search.maintenance.sweepDrift())[0]).to.include(waiting);
      await ctx.search.maintenance.drain('postgres');
      await rename(boxId, 'Second');
      expect((await ctx.search.maintenance.sweepDrift())[0]).to.include(waiting);
      expect(await marksOf(ctx)).to.deep.equal([`box ${boxId} 1`]);
    });

    it('compares more than one page in both directions', async () => {
      await ctx.search.maintenance.drain('postgres');
      await insertUnmarked(2300);
      expect((await ctx.search.maintenance.sweepDrift())[0]).to.deep.equal(boxDrift({ missing: 2300 }));
      await ctx.search.maintenance.drain('postgres');
      await removeRows(ctx, BoxItem, { title: 'Unmarked' });
      expect((await ctx.search.maintenance.sweepDrift())[0]).to.deep.equal(boxDrift({ dangling: 2300 }));
      await ctx.search.maintenance.drain('postgres');
      expect((await ctx.search.maintenance.sweepDrift())[0]).to.deep.include({ missing: 0, dangling: 0 });
    });
  });

  describe('in a rebuild', () => {
    const expireLeases = () =>
      ctx.db.change(`UPDATE search_builds SET lease_until = now() - interval '1 second'
                     WHERE lease_until IS NOT NULL`);

    it('builds the index from the rows', async () => {
      await insertUnmarked(1500);
      await ctx.search.maintenance.drain('postgres');
      const shown: number[] = [];
      expect(
        await ctx.search.maintenance.rebuild('postgres', 'box', undefined, (done, total) => shown.push(done, total)),
      ).to.equal(true);
      expect(shown).to.deep.equal([1000, 1501, 1501, 1501]);
      expect((await ctx.search.maintenance.sweepDrift())[0]).to.deep.equal(boxDrift({}));
      expect(await findInBox(ctx, ownerId, 'unmarked')).to.have.length(20);
    });

    it('keeps changes that a concurrent drain wrote to the old build', async () => {
      const { boxId } = await seedBoxItem(ctx, ownerId, { title: 'First' });
      await ctx.search.maintenance.drain('postgres');
      const engine = createPostgresEngine(ctx.db);
      const interrupted: SearchEngine = {
        ...engine,
        async rebuild(index, documents) {
          const read = [];
          for await (const batch of documents) read.push(batch);
          await rename(boxId, 'Second');
          await ctx.search.maintenance.drain('postgres');
          expect(await findInBox(ctx, ownerId, 'second')).to.deep.equal([boxId]);
          expect(await marksOf(ctx)).to.deep.equal([]);
          await engine.rebuild(
            index,
            (async function* again() {
              yield* read;
            })(),
          );
        },
      };
      await maintenanceOf(ctx, interrupted).rebuild('postgres', 'box');
      expect(await marksOf(ctx)).to.deep.equal([`box ${boxId} 1`]);
      await ctx.search.maintenance.drain('postgres');
      expect(await findInBox(ctx, ownerId, 'second')).to.deep.equal([boxId]);
      expect(await marksOf(ctx, 'postgres/rebuild')).to.deep.equal([]);
    });

    it('is limited to one process at a time, until its lease expires', async () => {
      const engine = createPostgresEngine(ctx.db);
      let second: boolean | undefined;
      const first = maintenanceOf(ctx, {
        ...engine,
        async rebuild() {
          second = await ctx.search.maintenance.rebuild('postgres', 'box');
          await expireLeases();
          expect(await ctx.search.maintenance.rebuild('postgres', 'box')).to.equal(true);
        },
      });
      expect(await first.rebuild('postgres', 'box')).to.equal(true);
      expect(second).to.equal(false);
    });

    it('renews its lease for each batch, and stops if the lease is lost', async () => {
      await seedBoxItem(ctx, ownerId);
      const engine = createPostgresEngine(ctx.db);
      const leaseSeconds = `SELECT extract(epoch FROM lease_until - now())::int AS seconds
        FROM search_builds WHERE index_name = 'box'`;
      let seconds: number | undefined;
      const rebuildAfter = (prepare: () => Promise<unknown>) =>
        maintenanceOf(ctx, {
          ...engine,
          async rebuild(_index, documents) {
            await prepare();
            for await (const _batch of documents)
              [{ seconds } = { seconds: 0 }] = await ctx.db.rows<{ seconds: number }>(leaseSeconds);
          },
        }).rebuild('postgres', 'box');
      expect(await rebuildAfter(expireLeases)).to.equal(true);
      expect(seconds).to.be.within(590, 600);
      const takeOver = () => changeRows(ctx, SearchBuild, {}, { leaseOwner: 'another' });
      expect(await rebuildAfter(takeOver).catch(String)).to.contain('the lease was lost');
    });

    it('restores all marks if it fails, and if its process crashes', async () => {
      const { boxId } = await seedBoxItem(ctx, ownerId, { title: 'First' });
      await ctx.search.maintenance.drain('postgres');
      const failing = maintenanceOf(ctx, {
        ...createPostgresEngine(ctx.db),
        async rebuild() {
          await rename(boxId, 'Second');
          await ctx.search.maintenance.drain('postgres');
          throw new Error('disk full');
        },
      });
      expect(await failing.rebuild('postgres', 'box').catch(String)).to.contain('disk full');
      expect(await marksOf(ctx)).to.deep.equal([`box ${boxId} 1`]);
      // The process of this rebuild crashed: its lease expires, and the sweep ends it.
      await ctx.db.change(
        `UPDATE search_builds SET lease_owner = 'another', lease_until = now() + interval '1 minute'
         WHERE index_name = 'box'`,
      );
      await ctx.search.maintenance.drain('postgres');
      expect(await marksOf(ctx, 'postgres/rebuild')).to.deep.equal([`box ${boxId} 1`]);
      await expireLeases();
      await ctx.search.maintenance.sweepDrift();
      expect(await marksOf(ctx, 'postgres/rebuild')).to.deep.equal([]);
      expect(await marksOf(ctx)).to.deep.equal([`box ${boxId} 1`]);
    });
  });

  describe('after a change of an index definition', () => {
    const forget = () => changeRows(ctx, SearchBuild, {}, { signature: 'older' });

    it('fills a small index in the next drain of a new process', async () => {
      const { boxId } = await seedBoxItem(ctx, ownerId, { title: 'Cockatoo' });
      await ctx.search.maintenance.drain('postgres');
      await ctx.db.rows('TRUNCATE search_documents_box');
      await forget();
      await maintenanceOf(ctx, createPostgresEngine(ctx.db)).drain('postgres');
      expect(await findInBox(ctx, ownerId, 'cockatoo')).to.deep.equal([boxId]);
      const stale = await ctx.db.rows(`SELECT FROM search_builds WHERE signature = 'older'`);
      expect(stale).to.deep.equal([]);
    });

    it('rebuilds a large index in a job', async () => {
      await insertUnmarked(1001);
      await ctx.db.rows('TRUNCATE outbox');
      await maintenanceOf(ctx, createPostgresEngine(ctx.db)).drain('postgres');
      const jobs = await waitingJobs(ctx);
      const published = await ctx.queues
        .all()
        .find(({ name }) => name === 'search-sync')
        ?.getJobs();
      expect([...jobs, ...(published ?? []).map(({ name }) => name)]).to.include('search.rebuild');
    });
  });
});

/** An output stream whose text can be read. */
function output(isTTY: boolean): { stream: NodeJS.WriteStream; text: () => string } {
  const stream = Object.assign(new PassThrough(), {
    isTTY,
    columns: 120,
    cursorTo() {},
    clearLine() {},
    moveCursor() {},
  });
  const chunks: string[] = [];
  stream.on('data', (chunk: Buffer) => chunks.push(chunk.toString()));
  return { stream: stream as unknown as NodeJS.WriteStream, text: () => chunks.join('') };
}

describe('reindex', () => {
  const ctx = useFixture(openTestContext);
  let ownerId: string;
  let boxId: string;

  before(async () => {
    ownerId = await createUser(ctx);
    ({ boxId } = await seedBoxItem(ctx, ownerId, { title: 'Cockatoo' }));
    await ctx.search.maintenance.drain('postgres');
  });

  it('rebuilds all indexes, and prints plain lines without a terminal', async () => {
    await ctx.db.rows('TRUNCATE search_documents_box');
    const expected: Readonly<Record<string, number>> = { box: 1, user: 1 };
    const { stream, text } = output(false);
    expect(await reindex(ctx, [], stream)).to.equal(0);
    const lines = indexes.map(({ name }) => `postgres ${name}: rebuilt, ${expected[name] ?? 0} documents\n`);
    expect(text()).to.equal(lines.join(''));
    expect(await findInBox(ctx, ownerId, 'cockatoo')).to.deep.equal([boxId]);
  });

  it('rebuilds the named indexes, with a progress bar on a terminal', async () => {
    await ctx.db.rows('TRUNCATE search_documents_box');
    const { stream, text } = output(true);
    expect(await reindex(ctx, ['box'], stream)).to.equal(0);
    expect(text())
      .to.match(/postgres box.*1\/1.*rebuilt/s)
      .and.not.contain('vod');
    expect(await findInBox(ctx, ownerId, 'cockatoo')).to.deep.equal([boxId]);
  });

  it('fails for an unknown index name', async () => {
    const { stream, text } = output(false);
    expect(await reindex(ctx, ['box', 'videos'], stream)).to.equal(1);
    expect(text()).to.equal(`There is no index videos. Indexes: ${indexes.map(({ name }) => name).join(', ')}.\n`);
  });
});
