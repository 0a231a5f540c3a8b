import { stat } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { expect } from 'chai';
import sinon from 'sinon';
import { Content } from '../../shared/content/content.model.js';
import { generationFolder } from '../../shared/content/storageKeys.js';
import { usageOf } from '../../shared/license/usage.service.js';
import type { Storage } from '../../shared/platform/storage/storage.js';
import { ingestContentHandler } from '../../workers/ingestion/ingestContent.js';
import { MediaFault, type MediaRunner } from '../../workers/media/index.js';
import { MediaInterruptedError, MediaStalledError } from '../../workers/media/runner.js';
import { HeldElsewhereError } from '../../shared/platform/lease/index.js';
import { createWorkerContext } from '../../workers/runtime/workerContext.js';
import { openTestContext, type TestContext } from '../support/context.js';
import { eventually, slowness, rejection } from '../support/eventually.js';
import { liveCoding, makeVideo, storedKeys, uploadClip } from '../support/media.js';
import { startS3 } from '../support/s3.js';
import { makeUser } from '../support/users.js';
import { changeRow } from '../support/rows.js';
import { useFixture } from '../support/fixtures.js';
import { jobRunOf } from '../support/workers.js';

/** Ten segments, each with two groups of pictures. */
const clip = (): Promise<string> => makeVideo({ seconds: 40, size: '320x180', coding: liveCoding });
const away = (): never => {
  throw Object.assign(new Error('the store is away'), { code: 'ECONNRESET' });
};

interface Given {
  readonly storage?: Storage;
  /** Replaces functions of the runner. */
  readonly runner?: (runner: MediaRunner) => Partial<MediaRunner>;
  /** The duration of the lease. */
  readonly lockSeconds?: number;
}

/** The last attempt of the job. */
function runOf(ctx: TestContext, contentId: string, { storage = ctx.storage, runner, lockSeconds }: Given = {}) {
  const worker = { ...ctx.config.worker, ...(lockSeconds && { lockSeconds }) };
  const opened = createWorkerContext({ ...ctx, storage, config: { ...ctx.config, worker } });
  const media = { ...opened.media, runner: { ...opened.media.runner, ...runner?.(opened.media.runner) } };
  return jobRunOf(ctx, { contentId }, { ctx: { ...opened, media }, attempt: 3 });
}

const contentOf = (ctx: TestContext, id: string): Promise<Content> =>
  ctx.db.model(Content).findByPk(id, { rejectOnEmpty: true });

describe('a content that is copied, if the object store fails', function () {
  this.timeout(60_000);
  const store = useFixture(startS3);
  const ctx = useFixture(() => openTestContext({ QUICK_GENERATION: 'true', ...store.env }));
  let ownerId: string;
  before(async () => {
    ({ id: ownerId } = await makeUser(ctx));
  });

  /** A store whose reads of a source fail from this byte on. */
  function readableUntil(byte: number): Storage {
    return {
      ...ctx.storage,
      async read(key, range) {
        if (!key.startsWith('sources/') || !range || range.end < byte) return ctx.storage.read(key, range);
        if (range.start >= byte) return away();
        const first = await ctx.storage.read(key, { start: range.start, end: byte - 1 });
        return Readable.from(
          (async function* () {
            yield* first;
            away();
          })(),
          { objectMode: false },
        );
      },
    };
  }

  for (const [when, share] of [
    ['before anything is read', 0],
    ['in the middle of the media', 0.5],
  ] as const)
    it(`is retried if it fails ${when}, without a charge to its owner`, async () => {
      const id = await uploadClip(ctx, ownerId, await clip());
      const { size } = await stat(await clip());
      const before = await usageOf(ctx, ownerId);
      const error = await rejection(
        ingestContentHandler(runOf(ctx, id, { storage: readableUntil(Math.floor(size * share)) })),
      );
      expect(error).to.include({ code: 'ECONNRESET' });
      const content = await contentOf(ctx, id);
      expect(content).to.include({ state: 'PENDING', leaseOwner: null, quick: true, plan: null });
      expect(await usageOf(ctx, ownerId)).to.deep.equal(before);
      expect(await ingestContentHandler(runOf(ctx, id))).to.deep.equal({ copied: 1 });
    });

  it('is finally copied after any number of store outages and failures', async () => {
    const id = await uploadClip(ctx, ownerId, await clip());
    for (let attempt = 1; attempt <= 13; attempt += 1)
      await rejection(ingestContentHandler(runOf(ctx, id, { storage: readableUntil(0) })));
    store.isFailing = true;
    try {
      expect(await rejection(ingestContentHandler(runOf(ctx, id)))).to.have.nested.property(
        '$metadata.httpStatusCode',
        503,
      );
    } finally {
      store.isFailing = false;
    }
    expect(await contentOf(ctx, id)).to.include({ state: 'PENDING', attempt: 14, returns: 14 });
    expect(await ingestContentHandler(runOf(ctx, id))).to.deep.equal({ copied: 1 });
  });

  it('does not delay an aborted put', async () => {
    store.delayMs = 5_000 * slowness;
    try {
      const begun = performance.now();
      const put = { contentType: 'text/plain', signal: AbortSignal.timeout(50) };
      expect(await rejection(ctx.storage.put('content/x/held', Buffer.from('x'), put))).to.include({
        name: 'TimeoutError',
      });
      expect(performance.now() - begun).to.be.lessThan(4_000 * slowness);
    } finally {
      store.delayMs = 0;
    }
  });
});

describe('a content that is copied, if something else fails', function () {
  this.timeout(60_000);
  const ctx = useFixture(() => openTestContext({ QUICK_GENERATION: 'true', CHUNK_SECONDS: '40' }));
  let ownerId: string;
  before(async () => {
    ({ id: ownerId } = await makeUser(ctx));
  });
  afterEach(() => sinon.restore());

  const growingLists = ['growing.m3u8', '180p-growing.m3u8'];
  async function keysOf(id: string): Promise<string[]> {
    const folder = generationFolder(await contentOf(ctx, id), 1);
    return (await storedKeys(ctx, folder)).map((key) => key.slice(folder.length + 1));
  }

  /** An ffmpeg that copies a part, which the owner watches, and then fails. */
  const failingWith =
    (fail: () => Promise<unknown>): NonNullable<Given['runner']> =>
    (runner) => ({
      async stream(command, run) {
        let isBegun = false;
        const onData = (data: Buffer): Promise<void> | undefined => {
          isBegun = true;
          return run.onData(data);
        };
        await runner.stream(command, { ...run, onData });
        expect(isBegun).to.equal(true);
        throw await fail();
      },
    });

  const watched = (id: string): Promise<void> =>
    eventually(async () => {
      expect((await contentOf(ctx, id)).growing).to.equal(true);
      expect(await keysOf(id)).to.include.members([...growingLists, 'copy0-a1/180p/init.mp4']);
    });

  it('is encoded in the same attempt if ffmpeg stalls, without remains of the copy', async () => {
    const id = await uploadClip(ctx, ownerId, await clip());
    const stalling = failingWith(async () => {
      await watched(id);
      return new MediaStalledError('no progress');
    });
    expect(await ingestContentHandler(runOf(ctx, id, { runner: stalling }))).to.have.property('chunks');
    expect(await contentOf(ctx, id)).to.include({ state: 'PENDING', generation: 1, growing: false });
    expect(await keysOf(id)).to.deep.equal([]);
  });

  it('keeps its playlists if the worker that abandons the copy has lost its lease', async () => {
    const id = await uploadClip(ctx, ownerId, await clip());
    const deposed = failingWith(async () => {
      await watched(id);
      await changeRow(ctx, Content, id, { leaseOwner: 'another' });
      return new MediaStalledError('no progress');
    });
    expect(await rejection(ingestContentHandler(runOf(ctx, id, { runner: deposed })))).to.be.instanceOf(
      HeldElsewhereError,
    );
    expect(await keysOf(id)).to.include.members(growingLists);
    expect(await contentOf(ctx, id)).to.include({ growing: true, leaseOwner: 'another' });
  });

  it('returns to the queue if ffmpeg was interrupted, and is encoded after three unfinished attempts', async () => {
    const id = await uploadClip(ctx, ownerId, await clip());
    const before = await usageOf(ctx, ownerId);
    const interrupted = failingWith(async () => {
      await watched(id);
      return new MediaInterruptedError('ended by a signal');
    });
    expect(await rejection(ingestContentHandler(runOf(ctx, id, { runner: interrupted })))).to.be.instanceOf(
      MediaInterruptedError,
    );
    expect(await contentOf(ctx, id)).to.include({ state: 'PENDING', plan: null, leaseOwner: null, growing: true });
    expect(await usageOf(ctx, ownerId)).to.deep.equal(before);
    expect(await keysOf(id)).to.include.members(growingLists);

    await changeRow(ctx, Content, id, { attempt: 3 });
    expect(await ingestContentHandler(runOf(ctx, id))).to.have.property('chunks');
    expect(await keysOf(id)).to.deep.equal([]);
    expect((await contentOf(ctx, id)).growing).to.equal(false);
  });

  it('is charged only for encoding if its file cannot be processed', async () => {
    const id = await uploadClip(ctx, ownerId, await clip());
    const { mediaSeconds } = await usageOf(ctx, ownerId);
    const clock = sinon.useFakeTimers({ toFake: ['performance'] });
    let probes = 0;
    const inspect = async (): Promise<never> => {
      clock.tick((probes += 1) === 1 ? 3_600_000 : 2_000);
      throw probes === 1
        ? new MediaStalledError('no response')
        : new MediaFault('content.failure.unreadable', 'damaged');
    };
    const result = await ingestContentHandler(runOf(ctx, id, { runner: () => ({ inspect }) }));
    expect(result).to.deep.equal({ failed: 'content.failure.unreadable', detail: 'damaged' });
    expect((await usageOf(ctx, ownerId)).mediaSeconds - mediaSeconds).to.equal(2 * 5);
  });

  it('is retried if the store does not accept the owner’s playlists within the lease', async () => {
    const id = await uploadClip(ctx, ownerId, await clip());
    const hanging: Storage = {
      ...ctx.storage,
      async put(key, body, options) {
        if (!key.endsWith('/growing.m3u8')) return ctx.storage.put(key, body, options);
        return new Promise((_, reject) => {
          const end = (): void => reject(options.signal?.reason as Error);
          if (options.signal?.aborted) end();
          else options.signal?.addEventListener('abort', end);
        });
      },
    };
    const run = runOf(ctx, id, { storage: hanging, lockSeconds: 6 });
    expect(await rejection(ingestContentHandler(run))).to.have.property('message', 'no response within 3000 ms');
    expect(await contentOf(ctx, id)).to.include({ state: 'PENDING', leaseOwner: null });
    expect(await ingestContentHandler(runOf(ctx, id))).to.deep.equal({ copied: 1 });
  });
});
