import { expect } from 'chai';
import { BoxItem } from '../../shared/box/box.model.js';
import { openDeployment, type TestDeployment, freePort } from '../support/deployment.js';
import { eventually } from '../support/eventually.js';
import { openBroadcast, watchOnAir, type TestBroadcast, expectCompleteRecording } from '../support/live/broadcast.js';
import { keepPublishing, type KeptEncoder } from '../support/rtmp/encoder.js';
import { challengeAddress } from '../support/liveStreams.js';
import { startViewer } from '../support/live/viewer.js';
import { liveCoding, makeVideo, settledContent } from '../support/media.js';
import { startTestRedis, type TestRedis } from '../support/redis.js';
import { describeWith, requirements } from '../support/requirements.js';

const awaySeconds = 60;

describeWith(requirements.redis, 'a live stream while Redis is down for a minute', function () {
  this.timeout(300_000);
  let redis: TestRedis;
  let deployment: TestDeployment;
  let broadcast: TestBroadcast;
  let encoder: KeptEncoder;

  before(async () => {
    redis = await startTestRedis();
    const port = await freePort();
    deployment = await openDeployment({
      ...{ REDIS_URL: redis.url, QUEUE_PREFIX: 'live', RTMP_HOST: '127.0.0.1', RTMP_PORT: String(port) },
      ...{ LIVE_RENDITIONS: '180,100', LIVE_PRESET: 'ultrafast', LIVE_RECONNECT_SECONDS: '10' },
    });
    await Promise.all((['web', 'live', 'worker', 'clock'] as const).map((kind) => deployment.start(kind)));
    broadcast = await openBroadcast(deployment);
    const clip = await makeVideo({ seconds: 20, size: '320x180', coding: liveCoding });
    encoder = keepPublishing(clip, [challengeAddress(port, broadcast)]);
  });
  after(async () => {
    await encoder?.stop();
    await deployment?.close();
    await redis?.close();
  });

  it('continues with every segment on time and with an encoder that reconnects meanwhile', async () => {
    const viewer = await startViewer(`${broadcast.masterUrl}?dvr=1`);
    const onAir = await watchOnAir(deployment, broadcast);
    await redis.stop();
    const began = performance.now();
    await viewer.more(awaySeconds / 4, 45_000);
    await encoder.kill();
    await viewer.more(awaySeconds / 4 + 1, 60_000);
    expect((performance.now() - began) / 1000).to.be.at.least(awaySeconds - 5);
    await redis.start();
    await viewer.more(2);
    await viewer.stop();
    expect(viewer.segments().at(-1)?.discontinuity).to.equal(1);
    expect(encoder.connections).to.equal(2);
    expect((await onAir.stop()).off, 'responses that it is not on air').to.equal(0);
  });

  it('is recorded completely, and its recording becomes READY', async () => {
    const { ctx } = deployment;
    await encoder.stop();
    await expectCompleteRecording(deployment, broadcast);
    const item = await ctx.db.model(BoxItem).findOne({ where: { ownerId: broadcast.ownerId }, rejectOnEmpty: true });
    const content = await eventually(() => settledContent(ctx, item.contentId), { timeoutMs: 120_000, everyMs: 500 });
    expect(content.state, content.failureDetail ?? '').to.equal('READY');
  });
});
