import { expect } from 'chai';
import { ChunkRecord } from '../../../shared/content/chunk.model.js';
import type { ChunkPayload } from '../../../shared/content/content.jobs.js';
import { Content } from '../../../shared/content/content.model.js';
import { MediaError } from '../../../workers/media/index.js';
import { MachineError, MediaStalledError } from '../../../workers/media/runner.js';
import { JobTimeoutError } from '../../../workers/runtime/attempt.js';
import { ShutdownError } from '../../../workers/runtime/jobTypes.js';
import { createWorkerContext } from '../../../workers/runtime/workerContext.js';
import { transcodeChunkHandler } from '../../../workers/transcoding/transcodeChunk.js';
import { openTestContext } from '../../support/context.js';
import { plannedChunk } from '../../support/mediaFixture.js';
import { rejection } from '../../support/eventually.js';
import { useFixture, sharedService } from '../../support/fixtures.js';
import { randomUUID } from 'node:crypto';
import { contentFolder, generationFolder, newFolder } from '../../../shared/content/storageKeys.js';
import type { Context } from '../../../shared/platform/context.js';
import { cleanContentHandler } from '../../../workers/transcoding-status/cleanContent.js';
import { beginGeneration, seedBoxItem } from '../../support/rows.js';
import { storedKeys } from '../../support/media.js';
import { createUser } from '../../support/users.js';

describe('a chunk', () => {
  const ctx = useFixture(openTestContext);
  let payload: ChunkPayload;
  beforeEach(async () => void (payload = await plannedChunk(ctx)));

  /** Runs an attempt whose encoder fails with this error. */
  const endingWith = (error: Error, signal = new AbortController().signal): Promise<unknown> =>
    transcodeChunkHandler(
      {
        ...{ ctx: createWorkerContext(ctx), log: ctx.log, payload, signal },
        ...{ attempt: 1, isLastAttempt: false, reportProgress: () => {} },
      },
      async () => {
        throw error;
      },
    );
  const contentOf = () => ctx.db.model(Content).findByPk(payload.contentId, { rejectOnEmpty: true });
  const stateOf = async (): Promise<string> => (await contentOf()).state;

  it('waits again after any number of outages and restarts, and fails after twelve other attempts', async () => {
    const away = Object.assign(new Error('the store is away'), { code: 'ECONNREFUSED' });
    for (let attempt = 1; attempt <= 13; attempt += 1) expect(await rejection(endingWith(away))).to.equal(away);
    const stopped = new ShutdownError('the process ends');
    expect(await rejection(endingWith(away, AbortSignal.abort(stopped)))).to.equal(stopped);
    const other = new Error('a fault of this program');
    for (let attempt = 1; attempt <= 12; attempt += 1) expect(await rejection(endingWith(other))).to.equal(other);

    const { contentId, generation, chunk: position } = payload;
    const row = await ctx.db.model(ChunkRecord).findOne({ where: { contentId, generation, position } });
    expect(row).to.include({ state: 'PENDING', attempt: 26, returns: 14, failures: 0 });
    expect(await stateOf()).to.equal('PENDING');
    expect(await endingWith(other)).to.include({ failed: 'content.failure.internal' });
    expect(await stateOf()).to.equal('FAILED');
  });

  it('is unreadable after three failures of ffmpeg, but not after stalls and timeouts', async () => {
    const failures = [
      [new MediaError('a damaged frame'), 3, 'content.failure.unreadable'],
      [new MediaStalledError('no progress'), 13, 'content.failure.internal'],
      [new MachineError('SIGKILL', 'the kernel had no memory'), 13, 'content.failure.internal'],
    ] as const;
    for (const [error, attempts, key] of failures) {
      payload = await plannedChunk(ctx);
      for (let attempt = 1; attempt < attempts; attempt += 1)
        expect(await rejection(endingWith(error))).to.equal(error);
      expect(await stateOf()).to.equal('PENDING');
      await endingWith(error).catch(() => {});
      expect([await stateOf(), (await contentOf()).failureKey]).to.deep.equal(['FAILED', key]);
    }
    payload = await plannedChunk(ctx);
    const late = new JobTimeoutError('timeout');
    for (let attempt = 1; attempt <= 3; attempt += 1) await endingWith(late, AbortSignal.abort(late)).catch(() => {});
    expect((await contentOf()).failureKey).to.equal('content.failure.internal');
  });
});

describe('content.clean', () => {
  it('keeps the files and rows of a generation that begins while it runs', async () => {
    const { ctx } = await sharedService();
    const { contentId } = await seedBoxItem(ctx, await createUser(ctx));
    const folder = newFolder(contentId);
    await ctx.db.model(Content).update({ folder }, { where: { id: contentId } });
    const content = { id: contentId, folder };
    const put = (key: string) => ctx.storage.put(key, Buffer.from('x'), { contentType: 'video/mp4' });
    const needed = [
      `${generationFolder(content, 1)}/master.m3u8`,
      `${generationFolder(content, 2)}/c0-a1/240p/00000.m4s`,
      `${contentFolder(content)}/making-g2/${randomUUID()}/audio.aac`,
    ];
    const obsolete = [`${generationFolder(content, 1)}/c0-a1/240p/00000.m4s`, `${contentFolder(content)}/making-g1/x`];
    for (const key of [...needed.slice(0, 1), ...obsolete]) await put(key);
    /** Starts the next generation at the first listing of files, after the rows were read. */
    const listing: Context['storage']['list'] = async function* list(prefix) {
      await beginGeneration(ctx, contentId);
      for (const key of needed.slice(1)) await put(key);
      await ctx.db
        .model(ChunkRecord)
        .create({ contentId, generation: 2, position: 0, state: 'PENDING', priority: 1, updatedAt: ctx.clock.now() });
      yield* ctx.storage.list(prefix);
    };
    const worker = createWorkerContext({ ...ctx, storage: { ...ctx.storage, list: listing } });
    const run = {
      ctx: worker,
      log: ctx.log,
      payload: { contentId },
      signal: new AbortController().signal,
      attempt: 1,
      isLastAttempt: true,
      reportProgress: () => {},
    };
    expect(await cleanContentHandler(run)).to.deep.equal({ removed: obsolete.length });
    expect((await storedKeys(ctx, contentFolder(content))).toSorted()).to.deep.equal(needed.toSorted());
    expect(await ctx.db.model(ChunkRecord).findAll({ where: { contentId } })).to.have.length(1);
  });
});
