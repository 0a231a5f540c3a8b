import { stat } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { expect } from 'chai';
import type { ContentPayload } from '../../../shared/content/content.jobs.js';
import { Content } from '../../../shared/content/content.model.js';
import { usageOf } from '../../../shared/license/usage.service.js';
import type { Storage } from '../../../shared/platform/storage/storage.js';
import { ingest } from '../../../workers/ingestion/ingest.js';
import type { JobRun } from '../../../workers/runtime/jobTypes.js';
import { createWorkerContext } from '../../../workers/runtime/workerContext.js';
import { openTestContext, type TestContext } from '../../support/context.js';
import { liveCoding, makeVideo, uploadClip } from '../../support/media.js';
import { rejection } from '../../support/rejection.js';
import { startS3, type TestS3 } from '../../support/s3.js';
import { makeUser } from '../../support/users.js';

/** Ten segments, each with two groups of pictures. */
const clip = (): Promise<string> => makeVideo({ seconds: 40, size: '320x180', coding: liveCoding });
const away = (): never => {
  throw Object.assign(new Error('the store is away'), { code: 'ECONNRESET' });
};

/** The last attempt of the job: no other follows. */
function runOf(ctx: TestContext, contentId: string, storage: Storage = ctx.storage): JobRun<ContentPayload> {
  return {
    ctx: createWorkerContext({ ...ctx, storage }),
    ...{ log: ctx.log, payload: { contentId }, signal: new AbortController().signal, attempt: 3, isLastAttempt: true },
    reportProgress: async () => {},
  };
}

describe('a content that is copied, where the object store fails', function () {
  this.timeout(60_000);
  let ctx: TestContext;
  let store: TestS3;
  let ownerId: string;
  before(async () => {
    store = await startS3();
    ctx = await openTestContext({ QUICK_GENERATION: 'true', ...store.env });
    ({ id: ownerId } = await makeUser(ctx));
  });
  after(async () => {
    await ctx.close();
    await store.close();
  });

  /** A store whose reads of a source fail from this byte of the file on. */
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
    it(`is tried again where it fails ${when}, and costs its owner nothing`, async () => {
      const id = await uploadClip(ctx, ownerId, await clip());
      const { size } = await stat(await clip());
      const before = await usageOf(ctx, ownerId);
      const error = await rejection(ingest(runOf(ctx, id, readableUntil(Math.floor(size * share)))));
      expect(error).to.include({ code: 'ECONNRESET' });
      const content = await ctx.db.model(Content).findByPk(id, { rejectOnEmpty: true });
      expect(content).to.include({ state: 'PENDING', leaseOwner: null, quick: true, plan: null });
      expect(await usageOf(ctx, ownerId)).to.deep.equal(before);
      expect(await ingest(runOf(ctx, id))).to.deep.equal({ copied: 1 });
    });
});
