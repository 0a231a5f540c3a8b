import { expect } from 'chai';
import type { Content } from '../../shared/content/content.model.js';
import { openTestContext, type TestContext } from './context.js';
import { eventually } from './eventually.js';
import { settledContent, uploadClip } from './media.js';
import { startWorkers } from './workers.js';
import { makeUser } from './users.js';

/** A service with the workers for transcoding, during the tests of a `describe`. */
export interface MediaFixture {
  readonly ctx: TestContext;
  /** Uploads a video, or the file at a path, and waits until it is READY or FAILED. Default timeout: 50 s. */
  settle(video: Buffer | string, timeoutMs?: number): Promise<Content>;
  /** The same, but fails unless the video becomes READY. */
  make(video: Buffer | string, timeoutMs?: number): Promise<Content>;
}

/** Opened before the tests of the calling `describe`, and closed after them. */
export function mediaFixture(settings: Record<string, string> = {}): MediaFixture {
  let ctx: TestContext;
  let ownerId: string;
  let workers: { close: () => Promise<void> };

  before(async () => {
    ctx = await openTestContext(settings);
    ownerId = (await makeUser(ctx)).id;
    workers = await startWorkers(ctx, { queues: ['ingestion', 'transcoding', 'transcoding-status'] });
  });
  after(async () => {
    await workers?.close();
    await ctx?.close();
  });

  const settle: MediaFixture['settle'] = async (video, timeoutMs = 110_000) => {
    const id = await uploadClip(ctx, ownerId, video);
    return eventually(() => settledContent(ctx, id), { timeoutMs });
  };
  return {
    get ctx() {
      return ctx;
    },
    settle,
    async make(video, timeoutMs) {
      const content = await settle(video, timeoutMs);
      expect(content.state, content.failureDetail ?? '').to.equal('READY');
      return content;
    },
  };
}
