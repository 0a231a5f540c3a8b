import { expect } from 'chai';
import { LiveSession } from '../../shared/streaming/streaming.model.js';
import { packageRun } from '../../workers/live/packaging/packageRun.js';
import { openTestContext, type TestContext } from '../support/context.js';
import { eventually } from '../support/eventually.js';
import { startTestLive, type TestLive } from '../support/live/liveProcess.js';
import { keyAddress, makePublisher, runsOf } from '../support/liveStreams.js';
import { expectCompleteEnd, makeEndingClip, nameOf, type StreamEnd } from '../support/live/streamEnds.js';
import { storedRun } from '../support/liveRun.js';
import { startEncoder } from '../support/rtmp/encoder.js';

/** The number of concurrent streams: all send in real time. */
const encodersAtOnce = 6;

describe('the end of a copied stream', function () {
  this.timeout(120_000);
  let ctx: TestContext;
  let live: TestLive;

  before(async () => {
    ctx = await openTestContext({
      ...{ RTMP_HOST: '127.0.0.1', RTMP_PORT: '0', LIVE_CONCURRENCY: String(encodersAtOnce) },
      ...{ LIVE_RENDITIONS: '180,120', LIVE_PRESET: 'ultrafast' },
    });
    live = await startTestLive(ctx, packageRun);
  });
  after(async () => {
    await live?.close();
    await ctx?.close();
  });

  async function publish(end: StreamEnd): Promise<void> {
    const clip = await makeEndingClip(end);
    const publisher = await makePublisher(ctx);
    const encoder = startEncoder(clip, keyAddress(live.port, publisher), { isRealTime: true });
    expect((await encoder.ended).code).to.equal(0);
    const run = await eventually(
      async () => {
        const [first] = await runsOf(ctx, publisher.streamId);
        expect(first).to.include({ state: 'ENDED', endReason: 'unpublished' });
        return first ?? expect.fail('no run');
      },
      { timeoutMs: 30_000 },
    );
    const { id: sessionId, folder } = await ctx.db
      .model(LiveSession)
      .findOne({ where: { streamId: publisher.streamId }, rejectOnEmpty: true });
    const stored = await storedRun(ctx, { runId: run.id, sessionId, folder, leaseOwner: '' });
    await expectCompleteEnd(ctx, clip, end, stored);
  }

  const lengths = [8, 8.1, 8.5, 9.5, 10.02, 11.93, 12, 12.07, 13.97, 14];
  const differences = [0, -1.2, 1.2, null];
  const coded = [3, 2, 0].flatMap((bFrames) => [30, 25].map((framesPerSecond) => ({ bFrames, framesPerSecond })));
  for (const { bFrames, framesPerSecond } of coded)
    for (const audioLongerSeconds of differences) {
      const ends = lengths.map((seconds) => ({ bFrames, framesPerSecond, seconds, audioLongerSeconds }));
      it(`keeps every frame: ${nameOf(ends[0] ?? expect.fail('no length'))}, and other lengths`, async () => {
        for (let from = 0; from < ends.length; from += encodersAtOnce)
          await Promise.all(
            ends.slice(from, from + encodersAtOnce).map((end) =>
              publish(end).catch((error: unknown) => {
                throw new Error(`${nameOf(end)}: ${(error as Error).message}`, { cause: error });
              }),
            ),
          );
        expect(live.logged('live encoding restarted')).to.deep.equal([]);
      });
    }
});
