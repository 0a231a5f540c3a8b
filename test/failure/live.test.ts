import { expect } from 'chai';
import { LiveRun, LiveSession } from '../../shared/streaming/streaming.model.js';
import {
  openDeployment,
  type TestDeployment,
  childrenOf,
  rtmpPortOf,
  type BuiltProcess,
} from '../support/deployment.js';
import { eventually, slowness } from '../support/eventually.js';
import { parseMedia, type ReadPart } from '../support/hlsPlaylist.js';
import {
  openBroadcast,
  watchOnAir,
  type OnAirWatch,
  type TestBroadcast,
  expectCompleteRecording,
} from '../support/live/broadcast.js';
import { challengeAddress, keyAddress, runsOf } from '../support/liveStreams.js';
import { expectWaiting } from '../support/live/partsFixture.js';
import { makeEndingClip } from '../support/live/streamEnds.js';
import { startViewer, type Viewer } from '../support/live/viewer.js';
import { liveCoding, makeVideo, storedKeys } from '../support/media.js';
import { startEncoder, type Encoder } from '../support/rtmp/encoder.js';
import { media, RtmpClient } from '../support/rtmp/rtmpClient.js';
import { storedRows } from '../support/rows.js';

const reconnectSeconds = 10;

describe('a live stream while processes are killed', function () {
  this.timeout(90_000);
  let deployment: TestDeployment;
  let web: BuiltProcess;
  let live: BuiltProcess;
  let port: number;
  let clip: string;
  let broadcast: TestBroadcast;
  let viewer: Viewer;
  let onAir: OnAirWatch;
  const encoders: Encoder[] = [];

  before(async () => {
    // Longer than any run: an encoder that restarts its file slightly shifts its keyframes.
    clip = await makeVideo({ seconds: 60, size: '320x180', coding: liveCoding });
    deployment = await openDeployment({
      ...{
        LOG_LEVEL: 'info',
        RTMP_HOST: '127.0.0.1',
        RTMP_PORT: '0',
        LIVE_RENDITIONS: '180,100',
        LIVE_PRESET: 'ultrafast',
      },
      LIVE_RECONNECT_SECONDS: String(reconnectSeconds),
    });
    web = await deployment.start('web');
    await startLive();
    broadcast = await openBroadcast(deployment);
  });
  after(async () => {
    await Promise.all(encoders.map((encoder) => encoder.kill()));
    await deployment?.close();
  });

  async function startLive(): Promise<void> {
    live = await deployment.start('live');
    port = await rtmpPortOf(live);
  }

  function publish(address = challengeAddress(port, broadcast)): Encoder {
    const encoder = startEncoder(clip, address, { isLive: true });
    encoders.push(encoder);
    return encoder;
  }

  const runs = (): Promise<LiveRun[]> =>
    deployment.ctx.db.model(LiveRun).findAll({ where: { streamId: broadcast.streamId }, order: [['openedAt', 'ASC']] });

  /** The newest segment, if it is listed with its parts. */
  function newestParts(): { uri: string; parts: readonly ReadPart[] } {
    const { segments, lowLatency } = viewer.playlist();
    const { sequence, uri } = segments.at(-1) ?? expect.fail('no segment');
    const parts = lowLatency?.parts.filter((part) => part.sequence === sequence) ?? [];
    expect(parts.length, 'parts of the newest segment').to.be.above(1);
    return { uri, parts };
  }

  const discontinuity = (): number => viewer.segments().at(-1)?.discontinuity ?? -1;

  it('stores no media of rejected encoders, even if one ignores the end of its connection', async () => {
    const other = await openBroadcast(deployment);
    for (const address of [
      challengeAddress(port, { ...broadcast, livePassword: 'wrong' }),
      keyAddress(port, { ...broadcast, livePassword: 'wrong' }),
      `rtmp://127.0.0.1:${port}/live/${broadcast.streamPath}`,
      challengeAddress(port, { ...broadcast, streamPath: other.streamPath }),
    ])
      expect((await publish(address).ended).code, address).not.to.equal(0);
    const client = await RtmpClient.connect(port);
    const status = await client.publish('key', `${broadcast.streamPath}?user=${broadcast.userCode}&pass=wrong`);
    expect(status.get('code')).to.equal('NetStream.Publish.Denied');
    for (let count = 0; count < 100; count += 1) client.video(media.keyframe, count * 40);
    await client.whenClosed();
    client.destroy();
    expect(await storedKeys(deployment.ctx, 'live')).to.deep.equal([]);
    expect(await storedRows(deployment.ctx, LiveRun)).to.deep.equal([]);
    expect(live.output()).to.include('publish refused').and.not.include(broadcast.livePassword);
  });

  it('continues its session when its encoder is killed and returns', async () => {
    const first = publish();
    viewer = await startViewer(broadcast.masterUrl);
    onAir = await watchOnAir(deployment, broadcast);
    await viewer.more(2);
    expect(discontinuity()).to.equal(0);
    await first.kill();
    publish(keyAddress(port, broadcast));
    await eventually(() => expect(discontinuity()).to.equal(1), { timeoutMs: 20_000 });
    expect(await deployment.ctx.db.model(LiveSession).count({ where: { streamId: broadcast.streamId } })).to.equal(1);
  });

  it('is not taken over by a second encoder while the first one sends', async () => {
    const { code, printed } = await startEncoder(clip, challengeAddress(port, broadcast), { isLive: true }).ended;
    expect(code).not.to.equal(0);
    expect(printed).to.include('Another encoder is publishing to this stream.');
    await viewer.more(2);
    expect(discontinuity()).to.equal(1);
  });

  it('continues when another stream ends in the middle of its frames', async () => {
    const ending = await makeEndingClip({ bFrames: 3, framesPerSecond: 30, seconds: 3.5, audioLongerSeconds: 0 });
    const other = await openBroadcast(deployment);
    const encoder = startEncoder(ending, keyAddress(port, other), { isRealTime: true });
    encoders.unshift(encoder);
    expect((await encoder.ended).code).to.equal(0);
    await eventually(async () => {
      const [run] = await runsOf(deployment.ctx, other.streamId);
      expect(run).to.include({ state: 'ENDED', endReason: 'unpublished' });
    });
    await viewer.more(2);
    expect(live.output()).not.to.include('unhandled rejection');
    expect(encoders.at(-1)?.process.exitCode).to.equal(null);
    expect(discontinuity()).to.equal(1);
  });

  it('continues with a connected encoder when its ffmpeg is killed', async () => {
    const ffmpeg = childrenOf(live.pid).find(({ command }) => command.includes('libx264'));
    const count = (await runs()).length;
    process.kill(ffmpeg?.pid ?? expect.fail('no ffmpeg'), 'SIGKILL');
    await eventually(() => expect(discontinuity()).to.equal(2), { timeoutMs: 20_000 });
    expect(encoders.at(-1)?.process.exitCode).to.equal(null);
    expect(await runs()).to.have.length(count);
  });

  it('continues when the web process is killed and restarts', async () => {
    await web.end('SIGKILL');
    web = await deployment.start('web');
    await viewer.more(2);
    expect(discontinuity()).to.equal(2);
    const { uri, parts } = await eventually(newestParts, { timeoutMs: 20_000 });
    const bytesOf = async (address: string): Promise<Buffer> =>
      Buffer.from(await (await fetch(new URL(address, broadcast.masterUrl))).arrayBuffer());
    const joined = Buffer.concat(await Promise.all(parts.map((part) => bytesOf(part.uri))));
    expect(joined.equals(await bytesOf(uri)), 'the parts of a segment are its bytes').to.equal(true);
  });

  it('continues with another live process when its own is killed', async () => {
    const killed = live;
    await startLive();
    const before = encoders.at(-1);
    await killed.end('SIGKILL');
    expect((await before?.ended)?.code).not.to.equal(0);
    publish();
    await eventually(() => expect(discontinuity()).to.equal(3), { timeoutMs: 40_000 });
    await viewer.more(1);
    expect(await deployment.ctx.db.model(LiveSession).count({ where: { streamId: broadcast.streamId } })).to.equal(1);
    expect((await onAir.stop()).off, 'responses that it is not on air').to.equal(0);
  });

  it('ends gracefully at SIGTERM with its last segment, and its session ends if the encoder does not return', async () => {
    const began = performance.now();
    const last = live;
    expect(await last.end('SIGTERM')).to.equal(0);
    expect(performance.now() - began).to.be.below(10_000 * slowness);
    expect((await runs()).at(-1)).to.include({ state: 'ENDED', endReason: 'server closed' });
    expect(last.output()).to.include('publish started').and.include('publish ended');
    await startLive();
    await eventually(() => expect(viewer.playlist().hasEnded).to.equal(true), { timeoutMs: 30_000 });
    await viewer.stop();
    await expectPartsOfRuns();
    publish();
    const next = await startViewer(broadcast.masterUrl);
    await next.more(1);
    await next.stop();
    const sessions = await deployment.ctx.db.model(LiveSession).findAll({ where: { streamId: broadcast.streamId } });
    expect(sessions.map(({ state }) => state).toSorted()).to.deep.equal(['ENDED', 'OPEN']);
  });

  /** Expects that the viewer has seen valid parts of all runs with several segments. */
  async function expectPartsOfRuns(): Promise<void> {
    const stored = await deployment.ctx.db.rows<{ runId: string }>(
      'SELECT run_id FROM live_segments GROUP BY run_id HAVING count(*) > 2',
    );
    expect(stored.length).to.be.above(1);
    expect(viewer.parts().map(({ uri }) => uri.split('/')[0])).to.include.members(stored.map(({ runId }) => runId));
  }

  it('responds to blocking requests when the web process receives SIGTERM', async () => {
    const address = new URL('180p.m3u8', broadcast.masterUrl).href;
    const listed = await eventually(
      async () => {
        const playlist = parseMedia(await (await fetch(address)).text());
        expect(playlist.lowLatency, 'parts').not.to.equal(null);
        return playlist.segments.at(-1)?.sequence ?? 0;
      },
      { timeoutMs: 20_000 },
    );
    const waiting = fetch(`${address}?_HLS_msn=${listed + 2}`);
    await expectWaiting(waiting);
    expect(await web.end('SIGTERM')).to.equal(0);
    const response = await waiting;
    expect(response.status).to.equal(200);
    expect(parseMedia(await response.text()).segments.at(-1)?.sequence).to.be.below(listed + 2);
  });

  it('has a recording with all stored segments of all encoders, processes and sessions', async () => {
    await encoders.at(-1)?.kill();
    await expectCompleteRecording(deployment, broadcast);
  });
});
