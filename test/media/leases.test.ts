import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { claimChunk, completeChunk, releaseChunk, renewChunk } from '../../shared/content/chunk.lifecycle.js';
import type { ChunkResult } from '../../shared/content/chunkResult.js';
import { transcodeChunk, type ChunkPayload } from '../../shared/content/content.jobs.js';
import { Content } from '../../shared/content/content.model.js';
import { discardContent } from '../../shared/content/content.lifecycle.js';
import { failContent } from '../../workers/content/failContent.js';
import { HeldElsewhereError } from '../../shared/platform/lease/index.js';
import { handledBy, PermanentJobError, type JobRun } from '../../workers/runtime/jobTypes.js';
import { transcodeChunkHandler, transcodeExhausted } from '../../workers/transcoding/transcodeChunk.js';
import { openTestContext, type TestContext } from '../support/context.js';
import { eventually, rejection } from '../support/eventually.js';
import { makeClip, makeVideo, storedKeys, uploadClip } from '../support/media.js';
import { plannedChunk } from '../support/mediaFixture.js';
import { changeRow } from '../support/rows.js';
import { jobRunOf, startWorkers } from '../support/workers.js';
import { makeUser } from '../support/users.js';

const nothing: ChunkResult = { renditions: {} };

describe('chunk leases', function () {
  this.timeout(60_000);
  let ctx: TestContext;
  let payload: ChunkPayload;

  beforeEach(async () => {
    ctx = await openTestContext({ CHUNK_SECONDS: '4' });
  });

  afterEach(() => ctx.close());

  /** The first chunk of an ingested content, without a worker. */
  async function ingested(clip?: string): Promise<ChunkPayload> {
    const owner = await makeUser(ctx);
    const workers = await startWorkers(ctx, { queues: ['ingestion'] });
    const contentId = await uploadClip(ctx, owner.id, clip ?? (await makeVideo({ seconds: 8, size: '160x90' })));
    await eventually(async () => expect((await ctx.db.model(Content).findByPk(contentId))?.plan).not.to.equal(null), {
      timeoutMs: 40_000,
    });
    await workers.close();
    return { contentId, generation: 1, chunk: 0 };
  }

  const runOf = (options: Partial<JobRun<ChunkPayload>> = {}): JobRun<ChunkPayload> =>
    jobRunOf(ctx, payload, { isLastAttempt: false, ...options });

  async function chunk(): Promise<{ state: string; attempt: number; failures: number; folder: string | null }> {
    const [row] = await ctx.db.rows<{ state: string; attempt: number; failures: number; folder: string | null }>(
      'SELECT state, attempt, failures, folder FROM chunks WHERE content_id = $contentId AND position = $chunk',
      { ...payload },
    );
    if (!row) throw new Error('no such chunk');
    return row;
  }

  /** Relative to the current database time. */
  const setLeaseEnd = (after: string): Promise<number> =>
    ctx.db.change(
      'UPDATE chunks SET lease_until = now() + $after::interval WHERE content_id = $contentId AND position = $chunk',
      { contentId: payload.contentId, chunk: payload.chunk, after },
    );

  const complete = (owner: string, folder: string): Promise<boolean> =>
    ctx.db.transaction((tx) => completeChunk(ctx, tx, payload, owner, { folder, result: nothing }));

  it('are held by one worker at a time', async () => {
    payload = await plannedChunk(ctx);
    expect(await claimChunk(ctx, payload, 'first')).to.include({ outcome: 'claimed' });
    expect(await claimChunk(ctx, payload, 'second')).to.include({ outcome: 'heldElsewhere' });
    expect(await renewChunk(ctx, payload, 'second', 0.5)).to.equal(false);
  });

  it('expire by the database clock, regardless of a worker’s clock', async () => {
    payload = await plannedChunk(ctx);
    await claimChunk(ctx, payload, 'first');
    ctx.clock.advance(24 * 3600_000);
    expect(await claimChunk(ctx, payload, 'fast clock')).to.include({ outcome: 'heldElsewhere' });
    await setLeaseEnd('-1 second');
    ctx.clock.advance(-48 * 3600_000);
    expect(await claimChunk(ctx, payload, 'slow clock')).to.include({ outcome: 'claimed' });
  });

  it('pass to the next worker when they expire, after which the previous owner cannot write', async () => {
    payload = await plannedChunk(ctx);
    await claimChunk(ctx, payload, 'zombie');
    await setLeaseEnd('-1 second');
    expect(await claimChunk(ctx, payload, 'next')).to.include({ outcome: 'claimed' });
    expect(await renewChunk(ctx, payload, 'former', 0.9)).to.equal(false);
    expect(await complete('former', 'c0-a1')).to.equal(false);
    expect(await releaseChunk(ctx, payload, 'former', { fault: 'its media', returned: true })).to.equal(0);
    expect(await complete('next', 'c0-a2')).to.equal(true);
    expect(await chunk()).to.deep.equal({ state: 'DONE', attempt: 2, failures: 0, folder: 'c0-a2' });
  });

  it('end with the content, whose chunks cannot be started or completed after it was discarded or has failed', async () => {
    payload = await plannedChunk(ctx);
    await claimChunk(ctx, payload, 'worker');
    await ctx.db.transaction((tx) => discardContent(ctx, tx, payload.contentId));
    expect(await renewChunk(ctx, payload, 'worker', 0.1)).to.equal(false);
    expect(await complete('worker', 'c0-a1')).to.equal(false);
    expect(await claimChunk(ctx, { ...payload, chunk: 1 }, 'other')).to.deep.equal({ outcome: 'nothing' });
  });

  it('limit a chunk to one transcoding, even if its job runs twice, sequentially or concurrently', async () => {
    payload = await ingested();
    const both = await Promise.all(
      [transcodeChunkHandler(runOf()), transcodeChunkHandler(runOf())].map((run) =>
        run.catch((error: Error) => expect(error).to.be.instanceOf(HeldElsewhereError)),
      ),
    );
    expect(both.filter((result) => 'folder' in (result as object))).to.have.length(1);
    expect(await transcodeChunkHandler(runOf())).to.have.property('skipped');
    expect(await chunk()).to.include({ state: 'DONE', attempt: 1 });
  });

  it('are released at once at shutdown, without an error and without a remaining process or file', async () => {
    payload = await ingested(
      await makeClip('mp4', [
        ...['-f', 'lavfi', '-i', 'testsrc2=s=640x360:r=25:d=4', '-c:v', 'libx264', '-preset', 'ultrafast'],
        ...['-pix_fmt', 'yuv420p'],
      ]),
    );
    const shutdown = new AbortController();
    const began = eventually(async () => expect((await chunk()).state).to.equal('RUNNING'));
    const run = transcodeChunkHandler(runOf({ signal: shutdown.signal }));
    await began;
    shutdown.abort(new Error('the process ends'));
    expect(await run.catch((error: Error) => error.message)).to.equal('the process ends');
    expect(await chunk()).to.deep.equal({ state: 'PENDING', attempt: 1, failures: 0, folder: null });
    expect((await storedKeys(ctx, 'content')).filter((key) => !key.includes('/making-'))).to.deep.equal([]);
    const folders = await readdir(join(ctx.config.dataDir, 'media'));
    for (const folder of folders) expect(await readdir(join(ctx.config.dataDir, 'media', folder))).to.deep.equal([]);
    await transcodeChunkHandler(runOf());
    expect(await chunk()).to.include({ state: 'DONE', attempt: 2, folder: 'c0-a2' });
  });

  it('restart a generation that the previous release has planned with muxed audio', async () => {
    payload = await plannedChunk(ctx);
    const { contentId } = payload;
    await ctx.db.change(
      "UPDATE contents SET plan = jsonb_set(plan, '{audio}', plan -> 'audio' -> 0) WHERE id = $contentId",
      {
        contentId,
      },
    );
    expect(await transcodeChunkHandler(runOf())).to.deep.equal({ restarted: 1 });
    const content = await ctx.db.model(Content).findByPk(contentId, { rejectOnEmpty: true });
    expect(content).to.include({ generation: 2, plan: null, state: 'PENDING', attempt: 0 });
    expect(await transcodeChunkHandler(runOf())).to.deep.equal({ skipped: 'nothing to transcode' });
  });

  it('restart a generation with a copied highest rendition if a file of the copy is lost', async () => {
    payload = await ingested();
    const { contentId } = payload;
    const copied = {
      name: '360p',
      videoBits: 1,
      folders: [{ key: 'content/none', firstSegment: 0 }],
      initKey: 'none',
      initName: 'none',
      initBytes: 1,
      codecs: '',
      tail: null,
    };
    await ctx.db.change(
      "UPDATE contents SET plan = plan || jsonb_build_object('copied', $copied::jsonb) WHERE id = $contentId",
      {
        contentId,
        copied: JSON.stringify(copied),
      },
    );
    expect(await transcodeChunkHandler(runOf())).to.deep.equal({ restarted: 1 });
    expect((await storedKeys(ctx, 'content')).filter((key) => key.includes('/g1/'))).to.deep.equal([]);
  });

  it('restart a generation if the reused audio of the quick generation is lost', async () => {
    payload = await ingested();
    const { contentId } = payload;
    await changeRow(ctx, Content, contentId, { measured: {} as never });
    const { plan } = await ctx.db.model(Content).findByPk(contentId, { rejectOnEmpty: true });
    await ctx.storage.remove((plan?.audio ?? []).map(({ key }) => key));
    expect(await transcodeChunkHandler(runOf())).to.deep.equal({ restarted: 1 });
    const content = await ctx.db.model(Content).findByPk(contentId, { rejectOnEmpty: true });
    expect(content, 'the source is read again').to.include({ generation: 2, plan: null, measured: null });
    expect((await storedKeys(ctx, 'content')).filter((key) => key.includes('/g1/'))).to.deep.equal([]);
  });

  it('leave nothing behind if the content is removed during transcoding', async () => {
    payload = await ingested();
    const done = transcodeChunkHandler(runOf());
    await eventually(async () => expect((await chunk()).state).to.equal('RUNNING'));
    await ctx.db.transaction((tx) => discardContent(ctx, tx, payload.contentId));
    const workers = await startWorkers(ctx, { queues: ['transcoding-status'] });
    try {
      expect(await rejection(done)).to.be.instanceOf(HeldElsewhereError);
      await eventually(async () => expect(await ctx.db.model(Content).findByPk(payload.contentId)).to.equal(null));
    } finally {
      await workers.close();
    }
    expect(await storedKeys(ctx, 'content')).to.deep.equal([]);
    expect(await storedKeys(ctx, 'thumbnails')).to.deep.equal([]);
  });

  it('count errors of the media and fail the content once at the maximum', async () => {
    payload = await ingested();
    const content = await ctx.db.model(Content).findByPk(payload.contentId, { rejectOnEmpty: true });
    await ctx.storage.put(content.sourceKey, Buffer.from('no video any more'), { contentType: 'video/mp4' });
    for (const attempt of [1, 2]) {
      expect(await transcodeChunkHandler(runOf({ attempt })).catch((error: Error) => error)).not.to.be.instanceOf(
        PermanentJobError,
      );
      expect(await chunk()).to.include({ state: 'PENDING', failures: attempt });
    }
    expect(
      await transcodeChunkHandler(runOf({ attempt: 3, isLastAttempt: true })).catch((error: Error) => error),
    ).to.be.instanceOf(PermanentJobError);
    const failed = await ctx.db.model(Content).findByPk(payload.contentId, { rejectOnEmpty: true });
    expect(failed).to.include({ state: 'FAILED', failureKey: 'content.failure.unreadable' });
    expect(failed.failureDetail).to.include('chunk 0');
    expect(await failContent(ctx, payload, { key: 'content.failure.internal', detail: 'again' })).to.equal(false);
    expect(await transcodeChunkHandler(runOf())).to.have.property('skipped');
  });

  it('permit any number of attempts after errors that the media has not caused', async () => {
    payload = await plannedChunk(ctx);
    await transcodeExhausted({ ctx, log: ctx.log, payload, error: new Error('the store is away') });
    expect((await ctx.db.model(Content).findByPk(payload.contentId))?.state).to.equal('PENDING');
    await transcodeExhausted({
      ctx,
      log: ctx.log,
      payload,
      error: new PermanentJobError("the job's worker was lost 6 times"),
    });
    expect(await ctx.db.model(Content).findByPk(payload.contentId)).to.include({
      state: 'FAILED',
      failureKey: 'content.failure.internal',
    });
  });

  it('delay a job while another worker holds them, and let it complete the work of a dead worker', async () => {
    await ctx.close();
    ctx = await openTestContext({ CHUNK_SECONDS: '4', WORKER_LOCK_SECONDS: '2' });
    payload = await plannedChunk(ctx);
    await claimChunk(ctx, payload, 'another');
    const renewals = setInterval(() => void renewChunk(ctx, payload, 'another', 0), 300);
    const queue = ctx.queues.all().find(({ name }) => name === 'transcoding')!;
    const run = (job: JobRun<ChunkPayload>): Promise<unknown> => transcodeChunkHandler(job, async () => nothing);
    const workers = await startWorkers(ctx, {
      queues: ['transcoding'],
      handlers: { [transcodeChunk.name]: handledBy(transcodeChunk, run) },
    });
    try {
      // The job of the other chunk completes.
      const counts = async () => [await queue.getDelayedCount(), await queue.getCompletedCount()];
      await eventually(async () => expect(await counts()).to.deep.equal([1, 1]), { timeoutMs: 15_000 });
      clearInterval(renewals);
      await eventually(async () => expect(await counts()).to.deep.equal([0, 2]), { timeoutMs: 15_000 });
      expect(await chunk()).to.include({ state: 'DONE', attempt: 2 });
      for (const job of await queue.getCompleted()) expect(job.attemptsMade).to.equal(1);
    } finally {
      clearInterval(renewals);
      await workers.close();
    }
  });

  it('are awaited if a dead worker still holds them', async () => {
    payload = await ingested();
    await claimChunk(ctx, payload, 'dead');
    const run = transcodeChunkHandler(runOf());
    await setLeaseEnd('500 milliseconds');
    await run;
    expect(await chunk()).to.include({ state: 'DONE', attempt: 2 });
  });
});
