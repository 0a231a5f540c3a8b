import { expect } from 'chai';
import { openDeployment, type TestDeployment } from '../support/deployment.js';
import { eventually } from '../support/eventually.js';
import { openBroadcast, type TestBroadcast } from '../support/live/broadcast.js';
import { startObs, type Obs } from '../support/live/obs.js';
import { challengeAddress } from '../support/live/publishers.js';
import { startViewer } from '../support/live/viewer.js';
import { runsOf } from '../support/liveStreams.js';
import { liveCoding, makeVideo, runTool } from '../support/media.js';
import { rtmpPortOf, type BuiltProcess } from '../support/processes.js';
import { describeWith, requirements } from '../support/requirements.js';
import { startEncoder } from '../support/rtmp/encoder.js';

const published = '==== Streaming Start ===';
const taken = 'NetStream.Publish.Denied (Another encoder is publishing to this stream. Stop it first.)';

describeWith(requirements.obs, 'OBS publishes to a built live process', function () {
  this.timeout(120_000);
  let deployment: TestDeployment;
  let live: BuiltProcess;
  let port: number;
  let broadcast: TestBroadcast;
  const all: Obs[] = [];

  before(async () => {
    deployment = await openDeployment({
      ...{ LOG_LEVEL: 'info', RTMP_HOST: '127.0.0.1', RTMP_PORT: '0' },
      ...{ LIVE_RENDITIONS: '180,100', LIVE_PRESET: 'ultrafast', LIVE_RECONNECT_SECONDS: '10' },
    });
    await deployment.start('web');
    live = await deployment.start('live');
    port = await rtmpPortOf(live);
    broadcast = await openBroadcast(deployment);
  });
  after(async () => {
    await Promise.all(all.map((obs) => obs.close()));
    await deployment?.close();
  });

  async function publish(password = broadcast.livePassword): Promise<Obs> {
    const obs = await startObs({
      server: `rtmp://127.0.0.1:${port}/live`,
      key: broadcast.streamPath,
      login: { username: broadcast.userCode, password },
    });
    all.push(obs);
    return obs;
  }

  const logs = (obs: Obs, text: string): Promise<unknown> =>
    eventually(() => expect(obs.log()).to.include(text), { timeoutMs: 30_000, everyMs: 200 });
  const endReasons = async () => (await runsOf(deployment.ctx, broadcast.streamId)).map(({ endReason }) => endReason);

  it('with B-frames, which plays it, rejects a second encoder with a reason in its log, and continues when OBS stops', async () => {
    const first = await publish();
    await logs(first, published);
    const viewer = await startViewer(broadcast.masterUrl);
    await viewer.more(2);
    const streams = await runTool('ffprobe', [
      ...['-v', 'error', '-select_streams', 'v:0', '-show_entries', 'stream=codec_name,has_b_frames', '-of', 'csv=p=0'],
      broadcast.masterUrl,
    ]);
    expect(streams.trim().split('\n')[0]).to.equal('h264,2');

    const second = await publish();
    await logs(second, taken);
    expect(second.log()).not.to.include(published);
    const clip = await makeVideo({ seconds: 2, size: '320x180', coding: liveCoding });
    expect((await startEncoder(clip, challengeAddress(port, broadcast)).ended).printed).to.include(
      'Another encoder is publishing to this stream.',
    );
    await viewer.more(2);
    expect(await endReasons()).to.deep.equal([null]);

    await first.stopStream();
    await eventually(async () => expect(await endReasons()).to.deep.equal(['unpublished']), { timeoutMs: 20_000 });
    expect(viewer.segments().at(-1)?.discontinuity).to.equal(0);
    await viewer.stop();
    expect(live.output()).not.to.include('packaging failed').and.not.include('unhandled rejection');
  });

  it('again on the same process, which also detects a killed OBS', async () => {
    const obs = await publish();
    await logs(obs, published);
    await eventually(async () => expect(await endReasons()).to.deep.equal(['unpublished', null]), {
      timeoutMs: 20_000,
    });
    await obs.close();
    await eventually(async () => expect(await endReasons()).to.deep.equal(['unpublished', 'connection lost']), {
      timeoutMs: 20_000,
    });
  });

  it('with a wrong password, which its log reports', async () => {
    await logs(await publish('wrong'), 'Authentication failed: wrong password');
  });
});
