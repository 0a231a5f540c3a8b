import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { openDeployment, type TestDeployment, freePort } from '../support/deployment.js';
import { eventually } from '../support/eventually.js';
import { openBroadcast, type TestBroadcast } from '../support/live/broadcast.js';
import { startViewer } from '../support/live/viewer.js';
import { makeVideo } from '../support/media.js';
import { projectFile } from '../support/projectFile.js';
import { startEncoder, type Encoder } from '../support/rtmp/encoder.js';
import { setLivePassword } from '../support/users.js';
import { runsOf } from '../support/liveStreams.js';
import { describeWith, requirements } from '../support/requirements.js';

const mediamtx = process.env['MEDIAMTX_PATH'] ?? 'mediamtx';
/** Media with reordered frames, as most encoders send it. */
const coding = ['-c:v', 'libx264', '-preset', 'veryfast', '-bf', '2', '-g', '50', '-sc_threshold', '0'];
const clip = () =>
  makeVideo({ seconds: 60, size: '320x180', coding: [...coding, '-pix_fmt', 'yuv420p', '-c:a', 'aac'] });

/** Encoders publish to a real MediaMTX, configured as in `docs/deploy.md#streaming-servers`; a live process pulls from it. */
for (const [protocol, pullUrlOf] of [
  ['RTSP', (ports: Ports) => documentedPullUrl(ports)],
  ['SRT', (ports: Ports) => Promise.resolve(`srt://127.0.0.1:${ports.srt}?streamid=read:{streamPath}:${login}`)],
] as const)
  describeWith(requirements.mediamtx, `encoders on MediaMTX, whose media is pulled over ${protocol},`, function () {
    this.timeout(120_000);
    let deployment: TestDeployment;
    let server: ChildProcess | undefined;
    let folder: string | undefined;
    let ports: Ports;
    const encoders: Encoder[] = [];

    before(async () => {
      ports = { rtmp: await freePort(), rtsp: await freePort(), srt: await freePort() };
      deployment = await openDeployment({
        ...{ INTEGRATION_USER: 'streamer', INTEGRATION_PASSWORD: 'streamer-password', LOG_LEVEL: 'info' },
        ...{ LIVE_PULL_URL: await pullUrlOf(ports), LIVE_RECONNECT_SECONDS: '10' },
        ...{ RTMP_HOST: '127.0.0.1', RTMP_PORT: '0', LIVE_RENDITIONS: '180,100', LIVE_PRESET: 'ultrafast' },
      });
      await deployment.start('web');
      await deployment.start('live');
      folder = await mkdtemp(join(tmpdir(), 'video-platform-mediamtx-'));
      await writeFile(join(folder, 'mediamtx.yml'), await documentedConfiguration(ports, deployment.api.url));
      server = spawn(mediamtx, [join(folder, 'mediamtx.yml')], { stdio: 'ignore', cwd: folder });
      await listening(ports.rtmp);
    });
    after(async () => {
      await Promise.all(encoders.map((encoder) => encoder.kill()));
      server?.kill('SIGKILL');
      await deployment?.close();
      if (folder) await rm(folder, { recursive: true, force: true });
    });

    async function publish(address: string, format: 'flv' | 'mpegts'): Promise<Encoder> {
      const encoder = startEncoder(await clip(), address, { isLive: true, format });
      encoders.push(encoder);
      return encoder;
    }

    for (const [encoderProtocol, format, addressOf] of [
      ['RTMP', 'flv', rtmpAddress],
      ['SRT', 'mpegts', srtAddress],
    ] as const)
      it(`are played until they stop if they publish over ${encoderProtocol}, and rejected with a wrong password`, async () => {
        const opened = await openBroadcast(deployment);
        // Encoders write special characters of an SRT stream id in different ways.
        const broadcast = { ...opened, livePassword: 'LivePassword1' };
        await setLivePassword(deployment.ctx, broadcast.ownerId, broadcast.livePassword);
        const wrong = await publish(addressOf(ports, { ...broadcast, livePassword: 'wrong' }), format);
        expect((await wrong.ended).code).not.to.equal(0);
        expect(await runsOf(deployment.ctx, broadcast.streamId)).to.deep.equal([]);
        const encoder = await publish(addressOf(ports, broadcast), format);
        const viewer = await startViewer(broadcast.masterUrl);
        await viewer.more(5);
        // The first MPEG-TS frame of this server has a different delay: the top rendition is therefore encoded.
        const most = protocol === 'SRT' ? 1 : 0;
        expect(viewer.segments().at(-1)?.discontinuity, 'discontinuities').to.be.at.most(most);
        await encoder.kill();
        await eventually(
          async () => expect((await runsOf(deployment.ctx, broadcast.streamId)).at(-1)?.state).to.equal('ENDED'),
          {
            timeoutMs: 30_000,
          },
        );
        await eventually(() => expect(viewer.playlist().hasEnded).to.equal(true), { timeoutMs: 30_000 });
        await viewer.stop();
      });
  });

interface Ports {
  readonly rtmp: number;
  readonly rtsp: number;
  readonly srt: number;
}

const login = 'streamer:streamer-password';

function rtmpAddress({ rtmp }: Ports, { streamPath, userCode, livePassword }: TestBroadcast): string {
  return `rtmp://127.0.0.1:${rtmp}/${streamPath}?user=${userCode}&pass=${encodeURIComponent(livePassword)}`;
}

function srtAddress({ srt }: Ports, { streamPath, userCode, livePassword }: TestBroadcast): string {
  return `srt://127.0.0.1:${srt}?streamid=publish:${streamPath}:${userCode}:${encodeURIComponent(livePassword)}`;
}

async function documentedPullUrl({ rtsp }: Ports): Promise<string> {
  const [, address = ''] = /`LIVE_PULL_URL=(rtsp:[^`]+)`/.exec(await documentation()) ?? [];
  return address.replace('media.example.org:8554', `127.0.0.1:${rtsp}`);
}

/** The lines of `docs/deploy.md#streaming-servers` with other addresses. */
async function documentedConfiguration({ rtmp, rtsp, srt }: Ports, webUrl: string): Promise<string> {
  const [, lines = ''] = /^```yaml\n(.*?)^```$/ms.exec(await documentation()) ?? [];
  const web = webUrl.replace('http://', '');
  const own = ['hls', 'webrtc', 'moq'].map((name) => `${name}: no`);
  return [
    ...[...own, `rtmpAddress: 127.0.0.1:${rtmp}`, `rtspAddress: 127.0.0.1:${rtsp}`, `srtAddress: 127.0.0.1:${srt}`],
    ...['rtspTransports: [tcp]', lines.replaceAll(`https://${login}@video.example.org`, `http://${login}@${web}`)],
    'paths: { all_others: }',
  ].join('\n');
}

function documentation(): Promise<string> {
  return readFile(projectFile('docs/deploy.md'), 'utf8');
}

async function listening(port: number): Promise<void> {
  await eventually(async () => {
    const socket = connect(port, '127.0.0.1');
    await once(socket, 'connect').finally(() => socket.destroy());
  });
}
