import { expect } from 'chai';
import { basic } from '../support/api.js';
import { openDeployment, type TestDeployment, freePort } from '../support/deployment.js';
import { eventually } from '../support/eventually.js';
import { openBroadcast, type TestBroadcast } from '../support/live/broadcast.js';
import { LiveSegment } from '../../shared/streaming/streaming.model.js';
import { startViewer } from '../support/live/viewer.js';
import { makeClip, runTool } from '../support/media.js';
import { startEncoder, type Encoder } from '../support/rtmp/encoder.js';
import { makeStream, runsOf } from '../support/liveStreams.js';
import { makeUser, disableUser, setLivePassword } from '../support/users.js';
import { describeWith, requirements, nginxModules } from '../support/requirements.js';
import { pageText, printedBlocks, replacedIn } from '../support/projectFile.js';
import { startNginx, type Nginx } from '../support/nginx.js';

/** Encoders publish to a real nginx-rtmp, configured as in `docs/deploy.md#streaming-servers`, which calls the web process. */
describeWith(requirements.nginxRtmp, 'encoders on nginx-rtmp', function () {
  this.timeout(60_000);
  let deployment: TestDeployment;
  let nginx: Nginx | undefined;
  let rtmpUrl: string;
  let clip: string;
  let encoders: Encoder[] = [];

  before(async () => {
    const [rtmpPort, hookPort] = [await freePort(), await freePort()];
    rtmpUrl = `rtmp://127.0.0.1:${rtmpPort}/live`;
    deployment = await openDeployment({
      ...{ LOG_LEVEL: 'info', LIVE_PULL_URL: await documentedPullUrl(rtmpPort) },
      ...{ RTMP_HOST: '127.0.0.1', RTMP_PORT: '0', LIVE_RENDITIONS: '100', LIVE_PRESET: 'ultrafast' },
    });
    const { ctx, api } = deployment;
    const { user, password } = ctx.config.integration!;
    const authorization = basic(api, user, password);
    const { main, site } = await documentedRtmp({ rtmpPort, hookPort, webUrl: api.url, authorization });
    nginx = await startNginx(site, rtmpPort, main);
    await deployment.start('web');
    clip = await makeClip('flv', [
      ...['-f', 'lavfi', '-i', 'testsrc=s=160x90:r=25:d=4', '-f', 'lavfi', '-i', 'sine=d=4'],
      ...['-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p', '-g', '50', '-c:a', 'aac'],
    ]);
  });
  afterEach(async () => {
    await Promise.all(encoders.map((encoder) => encoder.kill()));
    encoders = [];
  });
  after(async () => {
    await nginx?.close();
    await deployment?.close();
  });

  async function publisher() {
    const { ctx } = deployment;
    const { id: userId, userCode } = await makeUser(ctx);
    await setLivePassword(ctx, userId, 'live & pass');
    const { streamId, path } = await makeStream(ctx, userId);
    return { userId, streamId, key: `${path}?user=${userCode}&pass=live%20%26%20pass`, path };
  }

  function publish(key: string): Encoder {
    const encoder = startEncoder(clip, `${rtmpUrl}/${key}`, { isLive: true });
    encoders.push(encoder);
    return encoder;
  }

  const lastState = async (streamId: string) => (await runsOf(deployment.ctx, streamId)).at(-1)?.state;

  /** Claims the run like a live process that pulls the media. */
  const receive = (streamId: string) =>
    deployment.ctx.db.change(
      `UPDATE live_runs SET state = 'OPEN', source = 'PULL', lease_until = now() + interval '1 minute', opened_at = now(),
              last_media_at = now() + interval '1 minute' WHERE stream_id = $streamId AND state = 'OFFERED'`,
      { streamId },
    );

  it('are offered with media that can be pulled, and end their run when they stop', async () => {
    const { streamId, key, path } = await publisher();
    const encoder = publish(key);
    await eventually(async () => expect(await lastState(streamId)).to.equal('OFFERED'));
    const [run] = await runsOf(deployment.ctx, streamId);
    expect(run?.pullUrl).to.equal(`${rtmpUrl}/${path}`);
    const probed = await runTool('ffprobe', [
      ...['-v', 'error', '-show_entries', 'stream=codec_name,width', '-of', 'csv=p=0', run?.pullUrl ?? ''],
    ]);
    expect(probed).to.include('h264,160').and.include('aac');
    encoder.process.kill('SIGINT');
    await encoder.ended;
    await eventually(async () =>
      expect((await runsOf(deployment.ctx, streamId))[0]).to.include({
        state: 'ENDED',
        endReason: 'ended by the streaming server',
      }),
    );
  });

  it('are pulled by a live process and played until they stop', async () => {
    const live = await deployment.start('live');
    const { streamId, streamPath, userCode, livePassword, masterUrl } = await openBroadcast(deployment);
    const encoder = publish(`${streamPath}?user=${userCode}&pass=${encodeURIComponent(livePassword)}`);
    const viewer = await startViewer(masterUrl);
    const entries = ['-show_entries', 'stream=codec_name', '-of', 'csv=p=0'];
    expect(await runTool('ffprobe', ['-v', 'error', ...entries, masterUrl]))
      .to.include('h264')
      .and.include('aac');
    await viewer.more(1);
    encoder.process.kill('SIGINT');
    await encoder.ended;
    await eventually(() => expect(live.output()).to.match(/"reason":"ended by the streaming server".*"publish ended"/));
    expect(live.output()).not.to.include('lease lost');
    expect((await runsOf(deployment.ctx, streamId)).map(({ endReason }) => endReason)).to.deep.equal([
      'ended by the streaming server',
    ]);
    await viewer.stop();
    await live.end('SIGTERM');
  });

  it('are pulled from their first keyframe, or at once without video', async () => {
    const live = await deployment.start('live');
    const address = ({ streamPath, userCode, livePassword }: TestBroadcast): string =>
      `${rtmpUrl}/${streamPath}?user=${userCode}&pass=${encodeURIComponent(livePassword)}`;
    const [rare, sound] = [await openBroadcast(deployment), await openBroadcast(deployment)];
    const rareKeyframes = await makeClip('flv', [
      ...['-f', 'lavfi', '-i', 'testsrc=s=160x90:r=25:d=60', '-f', 'lavfi', '-i', 'sine=d=60'],
      ...['-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p', '-g', '250', '-c:a', 'aac'],
    ]);
    const startedAt = Date.now();
    encoders.push(startEncoder(rareKeyframes, address(rare), { isLive: true }));
    encoders.push(startEncoder(clip, address(sound), { isLive: true, options: ['-vn'] }));
    // Of the video of 160 x 90, and of the still image that replaces missing video.
    for (const [{ streamId }, rendition] of [
      [rare, '90p'],
      [sound, '100p'],
    ] as const)
      await eventually(
        async () => {
          const [run] = await runsOf(deployment.ctx, streamId);
          const first = await deployment.ctx.db.model(LiveSegment).findOne({ where: { runId: run?.id ?? '' } });
          expect(first?.renditions[0]?.name).to.equal(rendition);
          // The second keyframe comes 10 s after the first one.
          const seconds = ((first?.startsAt.getTime() ?? Infinity) - startedAt) / 1000;
          expect(seconds, 'seconds from the start of the encoder to the first frame').to.be.below(10);
        },
        { timeoutMs: 50_000 },
      );
    await live.end('SIGTERM');
  });

  it('are disconnected before their media is read for a wrong or missing password, a foreign path or a forged field', async () => {
    const { streamId, key, path } = await publisher();
    const other = await publisher();
    const credentials = key.slice(path.length);
    for (const wrong of [
      key.replace('live%20', 'wrong'),
      path,
      `${other.path}${credentials}`,
      `${key}&name=${path}`,
      `${other.path}${credentials}&name=${path}`,
    ]) {
      const { code } = await publish(wrong).ended;
      expect(code, wrong).not.to.equal(0);
    }
    expect(await runsOf(deployment.ctx, streamId)).to.deep.equal([]);
    expect(await runsOf(deployment.ctx, other.streamId)).to.deep.equal([]);
  });

  it('are disconnected on a path in use, without a change for the first encoder', async () => {
    const { streamId, key } = await publisher();
    publish(key);
    await eventually(async () => expect(await lastState(streamId)).to.equal('OFFERED'));
    await receive(streamId);
    const second = await publish(key).ended;
    expect(second.code).not.to.equal(0);
    expect((await runsOf(deployment.ctx, streamId)).map(({ state }) => state)).to.deep.equal(['OPEN']);
    expect(encoders[0]?.process.exitCode).to.equal(null);
  });

  it('are disconnected at the next update after their user was disabled', async () => {
    const { userId, streamId, key } = await publisher();
    const encoder = publish(key);
    await eventually(async () => expect(await lastState(streamId)).to.equal('OFFERED'));
    await disableUser(deployment.ctx, userId);
    expect((await encoder.ended).code).not.to.equal(0);
    await eventually(async () => expect(await lastState(streamId)).to.equal('ENDED'));
  });

  it('are offered again if the service has ended their run while they publish', async () => {
    const { streamId, key } = await publisher();
    publish(key);
    await eventually(async () => expect(await lastState(streamId)).to.equal('OFFERED'));
    await deployment.ctx.db.change(
      "UPDATE live_runs SET state = 'ENDED', end_reason = 'no media', ended_at = now() WHERE stream_id = $streamId",
      { streamId },
    );
    await eventually(async () =>
      expect((await runsOf(deployment.ctx, streamId)).map(({ state }) => state)).to.deep.equal(['ENDED', 'OFFERED']),
    );
  });
});

/** The lines of `docs/deploy.md#streaming-servers` for nginx-rtmp, with other ports, credentials and times. */
async function documentedRtmp(own: {
  rtmpPort: number;
  hookPort: number;
  webUrl: string;
  authorization: string;
}): Promise<{ readonly main: string; readonly site: string }> {
  const lines = await printedBlocks('deploy', 'nginx');
  const rtmp = lines.find((text) => text.startsWith('rtmp_auto_push')) ?? '';
  const hooks = lines.find((text) => text.includes('location = /hook')) ?? '';
  const hookAddress = ['127.0.0.1:8935', `127.0.0.1:${own.hookPort}`] as const;
  const main = replacedIn(rtmp, 'deploy.md', [
    ['listen 1935;', `listen 127.0.0.1:${own.rtmpPort};`],
    ['notify_update_timeout 30s;', 'notify_update_timeout 1s;'],
    hookAddress,
  ]);
  const site = replacedIn(hooks, 'deploy.md', [
    ['https://video.example.org', own.webUrl],
    ['Basic c3RyZWFtZXI6c3RyZWFtZXItcGFzc3dvcmQ=', own.authorization],
    hookAddress,
  ]);
  return { main: `load_module ${nginxModules.rtmp};\nrtmp_socket_dir .;\n${main}`, site };
}

/** `LIVE_PULL_URL` of `docs/deploy.md#streaming-servers` for nginx-rtmp, with another host and port. */
async function documentedPullUrl(rtmpPort: number): Promise<string> {
  const [, address = ''] = /`LIVE_PULL_URL=(rtmp:[^`]+)`/.exec(await pageText('deploy')) ?? [];
  return replacedIn(address, 'deploy.md', [['media.example.org', `127.0.0.1:${rtmpPort}`]]);
}
