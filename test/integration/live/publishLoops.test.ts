import { expect } from 'chai';
import { setTimeout as sleep } from 'node:timers/promises';
import type { packageRun } from '../../../workers/live/packaging/packageRun.js';
import { openTestContext, type TestContext } from '../../support/context.js';
import { startTestLive, type TestLive } from '../../support/live/liveProcess.js';
import { makePublisher } from '../../support/live/publishers.js';
import { RtmpClient } from '../../support/rtmp/rtmpClient.js';

const rounds = 20;
const closingMs = 150;

describe('live process: encoders that connect again at once', function () {
  this.timeout(30_000);
  let ctx: TestContext;
  let live: TestLive;
  let [inProgress, most] = [0, 0];

  /** Takes a while to store its last segments. */
  const pack: typeof packageRun = async ({ source }) => {
    inProgress += 1;
    most = Math.max(most, inProgress);
    if (!('url' in source)) for await (const batch of source.tags) void batch;
    await sleep(closingMs);
    inProgress -= 1;
    return { reason: 'source ended' };
  };

  before(async () => {
    ctx = await openTestContext({ RTMP_HOST: '127.0.0.1', RTMP_PORT: '0', LIVE_CONCURRENCY: '4' });
    live = await startTestLive(ctx, pack);
  });
  after(async () => {
    await live?.close();
    await ctx?.close();
  });

  it('are not refused because their old runs are still being closed, which are limited in number', async () => {
    const publishAgainAndAgain = async (): Promise<unknown[]> => {
      const { streamPath, userCode, livePassword } = await makePublisher(ctx);
      const key = `${streamPath}?user=${userCode}&pass=${encodeURIComponent(livePassword)}`;
      const codes: unknown[] = [];
      for (let round = 0; round < rounds; round += 1) {
        const encoder = await RtmpClient.connect(live.port);
        codes.push((await encoder.publish('key', key)).get('code'));
        encoder.destroy();
      }
      return codes;
    };
    const codes = (await Promise.all([publishAgainAndAgain(), publishAgainAndAgain()])).flat();
    expect(codes.filter((code) => code !== 'NetStream.Publish.Start')).to.have.length(0);
    expect(codes).to.have.length(2 * rounds);
    expect(most).to.be.at.most(9);
  });
});
