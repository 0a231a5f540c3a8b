import { randomUUID } from 'node:crypto';
import { mkdir, readdir, utimes, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { claimChunk } from '../../shared/content/chunk.lifecycle.js';
import { sweepContents, sweepFiles } from '../../shared/content/content.jobs.js';
import { Content, DeletedContent } from '../../shared/content/content.model.js';
import { discardContent } from '../../shared/content/content.lifecycle.js';
import { contentFolder, generationFolder, newFolder } from '../../shared/content/storageKeys.js';
import { usageOf } from '../../shared/license/usage.service.js';
import type { Context } from '../../shared/platform/context.js';
import type { Storage } from '../../shared/platform/storage/storage.js';
import type { WorkerContext } from '../../workers/runtime/workerContext.js';
import { sweepFilesHandler } from '../../workers/sweeps/sweepFiles.js';
import { openTestContext } from '../support/context.js';
import { rejection, eventually } from '../support/eventually.js';
import { makeVideo, settledContent, storedKeys, uploadClip } from '../support/media.js';
import { jobRunOf, startWorkers } from '../support/workers.js';
import { makeUser } from '../support/users.js';
import { fixtureEach } from '../support/fixtures.js';
import { OutboxJob } from '../../shared/platform/queue/index.js';
import { ChunkRecord } from '../../shared/content/chunk.model.js';
import { Thumbnail } from '../../shared/content/thumbnail.model.js';
import { storedRows } from '../support/rows.js';

const hour = 3600_000;

describe('the sweeps after a crash', function () {
  this.timeout(60_000);
  const ctx = fixtureEach(openTestContext);
  let ownerId: string;
  let workers: { close: () => Promise<void> } | undefined;

  beforeEach(async () => {
    ownerId = (await makeUser(ctx)).id;
  });

  afterEach(async () => {
    await workers?.close();
    workers = undefined;
  });

  async function start(...queues: ('ingestion' | 'transcoding' | 'transcoding-status' | 'sweeps')[]): Promise<void> {
    await workers?.close();
    workers = await startWorkers(ctx, { queues });
  }

  /** Removes the pending jobs, as if the queue server had lost them. */
  async function loseJobs(): Promise<void> {
    await ctx.db.change('DELETE FROM outbox');
    for (const queue of ctx.queues.all()) await queue.obliterate({ force: true });
  }

  async function sweep(job: typeof sweepContents | typeof sweepFiles): Promise<void> {
    await ctx.db.transaction((tx) => ctx.outbox.add(tx, job as typeof sweepContents, {}));
  }

  const runSweep = (on: Context = ctx): Promise<unknown> =>
    sweepFilesHandler(jobRunOf(ctx, {}, { ctx: on as WorkerContext, isLastAttempt: false }));

  async function jobsDone(...names: readonly string[]): Promise<void> {
    await eventually(async () => {
      expect(await storedRows(ctx, OutboxJob)).to.deep.equal([]);
      for (const queue of ctx.queues.all().filter(({ name }) => names.includes(name)))
        expect(await queue.getJobCounts('waiting', 'active', 'prioritized'), queue.name).to.deep.equal({
          ...{ waiting: 0, active: 0, prioritized: 0 },
        });
    });
  }

  async function ready(contentId: string): Promise<Content> {
    const content = await eventually(() => settledContent(ctx, contentId), { timeoutMs: 40_000 });
    expect(content.state, content.failureDetail ?? '').to.equal('READY');
    return content;
  }

  it('ingest a content whose job was lost', async () => {
    const id = await uploadClip(ctx, ownerId, await makeVideo({ seconds: 1, size: '64x64' }));
    await eventually(async () => expect(await storedRows(ctx, OutboxJob)).to.have.length(0));
    await loseJobs();
    ctx.clock.advance(3 * 60_000);
    await start('ingestion', 'transcoding', 'transcoding-status', 'sweeps');
    await sweep(sweepContents);
    await ready(id);
  });

  it('transcode a content if the worker and the job of a chunk were lost', async () => {
    const id = await uploadClip(ctx, ownerId, await makeVideo({ seconds: 1, size: '64x64' }));
    await start('ingestion');
    await eventually(async () => expect((await ctx.db.model(Content).findByPk(id))?.plan).not.to.equal(null), {
      timeoutMs: 20_000,
    });
    await claimChunk(ctx, { contentId: id, generation: 1, chunk: 0 }, 'dead');
    await workers?.close();
    await loseJobs();
    await ctx.db.change(`UPDATE chunks SET lease_until = now() - interval '1 second'`);
    await start('transcoding', 'transcoding-status', 'sweeps');
    await sweep(sweepContents);
    const content = await ready(id);
    expect((await storedKeys(ctx, generationFolder(content, 1))).some((key) => key.includes('/c0-a2/'))).to.equal(true);
  });

  it('make a content READY if the message about its last chunk was lost', async () => {
    const id = await uploadClip(ctx, ownerId, await makeVideo({ seconds: 1, size: '64x64' }));
    await start('ingestion', 'transcoding');
    await eventually(async () => expect(await storedRows(ctx, ChunkRecord, { state: 'DONE' })).to.have.length(1), {
      timeoutMs: 30_000,
    });
    await workers?.close();
    await loseJobs();
    ctx.clock.advance(3 * 60_000);
    await start('transcoding-status', 'sweeps');
    await sweep(sweepContents);
    await ready(id);
  });

  it('transcode a content again if stored segments have disappeared before it was READY', async () => {
    const id = await uploadClip(ctx, ownerId, await makeVideo({ seconds: 1, size: '64x64' }));
    await start('ingestion', 'transcoding');
    await eventually(async () => expect(await storedRows(ctx, ChunkRecord, { state: 'DONE' })).to.have.length(1), {
      timeoutMs: 30_000,
    });
    const [segment = ''] = (await storedKeys(ctx, 'content')).filter((key) => key.endsWith('00000.m4s'));
    await ctx.storage.remove([segment]);
    await start('ingestion', 'transcoding', 'transcoding-status');
    await ready(id);
    expect(await ctx.db.rows<{ attempt: number }>('SELECT attempt FROM chunks')).to.deep.equal([{ attempt: 2 }]);
  });

  it('remove a deleted content with its files, rows and used storage if the job was lost', async () => {
    const id = await uploadClip(ctx, ownerId, await makeVideo({ seconds: 1, size: '64x64' }));
    await start('ingestion', 'transcoding', 'transcoding-status', 'sweeps');
    const content = await ready(id);
    expect(await storedKeys(ctx, `thumbnails/${content.thumbnailId}`)).to.have.length(1);
    await workers?.close();
    await ctx.db.transaction((tx) => discardContent(ctx, tx, id));
    await loseJobs();
    ctx.clock.advance(3 * 60_000);
    await start('transcoding-status', 'sweeps');
    await sweep(sweepContents);
    await eventually(async () => expect(await ctx.db.model(Content).findByPk(id)).to.equal(null));
    expect(await storedKeys(ctx, 'content')).to.deep.equal([]);
    expect(await storedKeys(ctx, 'sources')).to.deep.equal([]);
    // The files are removed after the commit.
    await eventually(async () => expect(await storedKeys(ctx, 'thumbnails')).to.deep.equal([]));
    expect(await storedRows(ctx, Thumbnail)).to.deep.equal([]);
    expect((await usageOf(ctx, ownerId)).thumbnailBytes).to.equal(0);
  });

  it('remove only files without a row that are a day old', async () => {
    const id = await uploadClip(ctx, ownerId, await makeVideo({ seconds: 1, size: '64x64' }));
    const queues = ['ingestion', 'transcoding', 'transcoding-status', 'sweeps'] as const;
    await start(...queues);
    const content = await ready(id);
    // The work after READY, such as the removal of unlisted files, would remove some of the files below.
    await jobsDone(...queues);
    await eventually(async () => expect((await ctx.db.model(Content).findByPk(id))?.storyboard).not.to.equal(null));
    const needed = [
      ...(await storedKeys(ctx, 'content')),
      ...(await storedKeys(ctx, 'sources')),
      ...(await storedKeys(ctx, 'thumbnails')),
    ];
    const orphans = [
      `${generationFolder(content, 1)}/c0-a9/240p/00000.m4s`,
      `${generationFolder(content, 1)}/preview/c0-a9/240p/00000.m4s`,
      ...[`content/${randomUUID()}/g1/master.m3u8`, `content/${id}/g1/master.m3u8`],
      ...[`${contentFolder({ id, folder: newFolder(id) })}/g1/master.m3u8`, `sources/${randomUUID()}/original`],
      `thumbnails/${randomUUID()}/original`,
    ];
    for (const key of orphans) await ctx.storage.put(key, Buffer.from('x'), { contentType: 'video/mp4' });
    const stored = async (): Promise<string[]> => [
      ...(await storedKeys(ctx, 'content')),
      ...(await storedKeys(ctx, 'sources')),
      ...(await storedKeys(ctx, 'thumbnails')),
    ];
    const swept = async (): Promise<void> => {
      await sweep(sweepFiles);
      await jobsDone('sweeps');
    };
    await swept();
    expect(await stored()).to.include.members(orphans);
    ctx.clock.advance(25 * hour);
    await swept();
    await eventually(async () => expect((await stored()).toSorted()).to.deep.equal(needed.toSorted()));
  });

  it('remove files that a worker has stored for a deleted content, by its row', async () => {
    const folder = newFolder(randomUUID());
    const deletedAt = ctx.clock.now();
    await ctx.db.model(DeletedContent).create({ contentId: folder.slice(0, 36), folder, deletedAt });
    await ctx.storage.put(`content/${folder}/g1/late.m4s`, Buffer.from('x'), { contentType: 'video/mp4' });
    ctx.clock.advance(25 * hour);
    expect(await runSweep()).to.deep.equal({ deletedContents: 1, orphans: 0 });
    expect(await storedKeys(ctx, 'content')).to.deep.equal([]);
    expect(await runSweep(), 'again').to.deep.equal({ deletedContents: 0, orphans: 0 });
  });

  it('resume a search through very many files at its last position, in bounded slices', async () => {
    const [contents, filesOfContent, listed] = [130, 750, 1_000];
    const ids = Array.from({ length: contents }, () => randomUUID()).toSorted();
    const keys = ids.flatMap((id) =>
      Array.from({ length: filesOfContent }, (_, file) => `content/${id}-x/g1/${String(file).padStart(5, '0')}.m4s`),
    );
    let [calls, failsAt] = [0, 40];
    const removed = new Set<string>();
    const list: Storage['list'] = async function* (folder, after = '') {
      const inFolder = keys.filter((key) => key.startsWith(`${folder}/`) && key > after);
      for (let first = 0; first < inFolder.length; first += listed) {
        calls += 1;
        if (calls === failsAt) throw new Error('the store is away');
        for (const key of inFolder.slice(first, first + listed))
          yield { key, bytes: 1, modifiedAt: new Date(0), etag: '"x"' };
      }
    };
    const storage: Storage = {
      ...ctx.storage,
      list,
      remove: async (useFixture) => useFixture.forEach((key) => removed.add(key)),
    };
    const sweepOnce = () => runSweep({ ...ctx, storage });
    expect((await rejection(sweepOnce())).message).to.equal('the store is away');
    expect(removed.size, 'before the store was away').to.equal(39 * listed);
    failsAt = 0;
    await sweepOnce();
    expect(removed.size).to.equal(keys.length);
    expect(calls, 'requests of lists').to.equal(Math.ceil(keys.length / listed) + 1);
  });

  it('remove the working folders of dead processes', async () => {
    const root = join(ctx.config.dataDir, 'media');
    const dead = join(root, `${hostname()}~4194000~17~abcd`);
    const reused = join(root, `${hostname()}~${process.pid}~17~abcd`);
    const foreign = join(root, 'another-machine~17~17~abcd');
    const old = join(root, 'a-third-machine~17~17~abcd');
    for (const folder of [dead, reused, foreign, old]) {
      await mkdir(join(folder, 'job-1'), { recursive: true });
      await writeFile(join(folder, 'job-1', 'file'), 'x');
    }
    await utimes(old, new Date(Date.now() - 30 * hour), new Date(Date.now() - 30 * hour));
    await start('sweeps');
    await sweep(sweepContents);
    await eventually(async () => expect(await readdir(root)).to.deep.equal(['another-machine~17~17~abcd']));
  });
});
