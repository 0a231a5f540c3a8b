import { expect } from 'chai';
import { openDeployment, type TestDeployment, rtmpPortOf, type BuiltProcess, freePort } from '../support/deployment.js';
import { eventually } from '../support/eventually.js';
import { openBroadcast, type TestBroadcast } from '../support/live/broadcast.js';
import { challengeAddress, runsOf } from '../support/liveStreams.js';
import { startViewer } from '../support/live/viewer.js';
import { liveCoding, makeVideo, runTool } from '../support/media.js';
import { describeWith, requirements } from '../support/requirements.js';
import { startEncoder } from '../support/rtmp/encoder.js';
import { spawn, type ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { request } from 'node:http';
import type { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';

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

/** Debian packages `obs-studio` and `xvfb`. */
const programs = { obs: 'obs', display: 'Xvfb' };

/** A publishing OBS with the settings of a new profile: x264 with B-frames, and a keyframe every two seconds. */
interface Obs {
  /** Its log so far. */
  log(): string;
  /** Stops the stream as its user does. */
  stopStream(): Promise<void>;
  close(): Promise<void>;
}

interface ObsService {
  readonly server: string;
  readonly key: string;
  readonly login?: { readonly username: string; readonly password: string };
}

/** Starts OBS in a virtual display and streams a plain colour of 320x180. */
async function startObs(service: ObsService): Promise<Obs> {
  const home = await mkdtemp(join(tmpdir(), 'video-platform-obs-'));
  const port = await freePort();
  await writeProfile(join(home, 'obs-studio'), service, port);
  const display = spawn(programs.display, ['-displayfd', '3', '-screen', '0', '640x480x24'], {
    stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
  });
  // Xvfb writes its display number and closes the pipe.
  let number = '';
  for await (const data of display.stdio[3] as Readable) number += String(data);
  const environment = { HOME: home, XDG_CONFIG_HOME: home, XDG_RUNTIME_DIR: home, LIBGL_ALWAYS_SOFTWARE: '1' };
  const obs = spawn(programs.obs, ['--multi', '--startstreaming', '--profile', 'Test', '--collection', 'Test'], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, ...environment, DISPLAY: `:${number.trim()}` },
  });
  let log = '';
  for (const output of [obs.stdout, obs.stderr]) output.on('data', (data: Buffer) => (log += data.toString()));
  return {
    log: () => log,
    async stopStream() {
      await callObs(port, 'StopStream');
      await eventually(() => {
        if (!log.includes('==== Streaming Stop ===')) throw new Error(`OBS still streams: ${log.slice(-2000)}`);
      });
    },
    async close() {
      for (const child of [obs, display]) await ended(child);
      await rm(home, { recursive: true, force: true });
    },
  };
}

async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const closed = once(child, 'close');
  child.kill('SIGKILL');
  await closed;
}

/** A configuration folder with which OBS asks no questions. */
async function writeProfile(folder: string, { server, key, login }: ObsService, port: number): Promise<void> {
  const profile = join(folder, 'basic', 'profiles', 'Test');
  const scenes = join(folder, 'basic', 'scenes');
  for (const one of [profile, scenes]) await mkdir(one, { recursive: true });
  await writeFile(
    join(folder, 'global.ini'),
    iniOf({
      General: { FirstRun: true, LastVersion: 0x1d000002 },
      Basic: { Profile: 'Test', ProfileDir: 'Test', SceneCollection: 'Test', SceneCollectionFile: 'Test' },
      BasicWindow: { SysTrayEnabled: false },
      OBSWebSocket: { FirstLoad: false, ServerEnabled: true, ServerPort: port, AuthRequired: false },
    }),
  );
  await writeFile(
    join(profile, 'basic.ini'),
    iniOf({
      General: { Name: 'Test' },
      Video: { BaseCX: 320, BaseCY: 180, OutputCX: 320, OutputCY: 180, FPSCommon: 30 },
      Output: { Mode: 'Simple', Reconnect: false },
      SimpleOutput: { VBitrate: 500, StreamEncoder: 'x264', UseAdvanced: true, x264Settings: 'keyint=60' },
    }),
  );
  const settings = { server, key, use_auth: login !== undefined, ...login };
  await writeFile(join(profile, 'service.json'), JSON.stringify({ type: 'rtmp_custom', settings }));
  await writeFile(join(scenes, 'Test.json'), JSON.stringify(sceneCollection));
}

const sceneCollection = {
  name: 'Test',
  current_scene: 'Scene',
  current_program_scene: 'Scene',
  scene_order: [{ name: 'Scene' }],
  sources: [
    { id: 'color_source', name: 'Color', settings: { color: 0xff00ff00, width: 320, height: 180 } },
    { id: 'scene', name: 'Scene', settings: { id_counter: 1, items: [{ name: 'Color', id: 1, visible: true }] } },
  ],
};

function iniOf(sections: Readonly<Record<string, object>>): string {
  return Object.entries(sections)
    .map(([name, members]) => {
      const lines = Object.entries(members).map(([key, value]) => `${key}=${String(value)}`);
      return [`[${name}]`, ...lines, ''].join('\n');
    })
    .join('\n');
}

/*
 * The part of obs-websocket 5 that tests need: JSON messages in WebSocket frames, all shorter than 64 KiB. Node 20 has no
 * WebSocket client.
 */

const operation = { identify: 1, identified: 2, request: 6, response: 7 } as const;

/** Sends one request to the OBS on this port; resolves when OBS has executed it. */
async function callObs(port: number, requestType: string): Promise<void> {
  const headers = {
    ...{ Connection: 'Upgrade', Upgrade: 'websocket' },
    ...{ 'Sec-WebSocket-Version': '13', 'Sec-WebSocket-Key': randomBytes(16).toString('base64') },
    'Sec-WebSocket-Protocol': 'obswebsocket.json',
  };
  const opening = request({ host: '127.0.0.1', port, headers });
  opening.end();
  const [, socket, head] = (await once(opening, 'upgrade')) as [unknown, Socket, Buffer];
  try {
    let received = head.toString('latin1');
    socket.on('data', (data: Buffer) => (received += data.toString('latin1')));
    const until = async (op: number): Promise<void> => {
      while (!received.includes(`"op":${op}}`)) await once(socket, 'data');
    };
    socket.write(frameOf({ op: operation.identify, d: { rpcVersion: 1 } }));
    await until(operation.identified);
    socket.write(frameOf({ op: operation.request, d: { requestType, requestId: requestType } }));
    await until(operation.response);
    if (!received.includes('"result":true')) throw new Error(`OBS refuses ${requestType}: ${received}`);
  } finally {
    socket.destroy();
  }
}

/** A masked client text frame of less than 126 bytes. */
function frameOf(message: object): Buffer {
  const payload = Buffer.from(JSON.stringify(message));
  if (payload.length > 125) throw new RangeError('a message that needs a longer header');
  const mask = randomBytes(4);
  const masked = payload.map((byte, index) => byte ^ (mask[index % 4] ?? 0));
  return Buffer.concat([Buffer.from([0x81, 0x80 | payload.length]), mask, masked]);
}
