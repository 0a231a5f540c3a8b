import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { endIdleLiveSessions } from '../../shared/streaming/liveSession.lifecycle.js';
import { endRun, openRun } from '../../shared/streaming/liveRun.lifecycle.js';
import { startApi, type TestApi } from '../support/api.js';
import { processOf, writePlayed, type Played } from '../support/cast/castFixture.js';
import { recordedPackets, recordWithVlc, runPlayer, type RecordedPacket } from '../support/cast/players.js';
import { recordChannel, type RecordedChannel } from './recordedChannel.js';
import { openStation } from '../support/cast/station.js';
import { makeUnlikeSources } from '../support/cast/unlikeSources.js';
import { rawRequest } from '../support/rawRequest.js';
import { openTestContext, type TestContext } from '../support/context.js';
import { seedLiveChannel } from '../support/liveFixture.js';
import { makeFlv, packageStream } from '../support/liveRun.js';
import { freePort } from '../support/deployment.js';
import { castDelaySeconds } from '../../shared/cast/playout.service.js';
import { itWith, requirements } from '../support/requirements.js';

const packetSeconds = 1024 / 48_000;
/** Content with audio only has a still image at two frames per second. */
const maxFrameSeconds = 0.5;
/** At a join, one packet may be missing. */
const maxSilenceSeconds = 2 * packetSeconds;
const toleranceSeconds = 0.002;

describe('the continuous form of a cast channel in players', function () {
  this.timeout(120_000);
  let ctx: TestContext;
  let api: TestApi;
  let played: Played[];
  let recorded: RecordedChannel;
  let folder: string;

  before(async () => {
    folder = await mkdtemp(join(process.env['TEST_RUN_DIR'] ?? tmpdir(), 'players-'));
    const port = await freePort();
    ctx = await openTestContext(
      // With this preset frames are reordered, as in most videos.
      { PUBLIC_URL: `http://127.0.0.1:${port}`, CAST_MAX_HEIGHT: '240', ENCODER_PRESET: 'veryfast' },
      { limits: [[castDelaySeconds, 2]] },
    );
    api = await startApi(ctx, port);
    played = await makeUnlikeSources(ctx);
    const { channelId } = await openStation(ctx, api);
    const seconds = played.reduce((sum, { seconds: one }) => sum + one.reduce((total, each) => total + each, 0), 0);
    await writePlayed(ctx, channelId, ctx.clock.now().getTime() - 10_000, played);
    const address = `${api.url}/api/public/cast/channel/${channelId}/playlist.m3u8`;
    // Up to the last second of the programs: slates follow.
    recorded = await recordChannel({ ctx, api }, address, seconds - 10);
  });
  after(async () => {
    await recorded?.close();
    await api?.close();
    await ctx?.close();
    await rm(folder, { recursive: true, force: true });
  });

  it('has the correct duration and increasing decoding times in 60 s recorded by ffmpeg', async () => {
    const file = join(folder, 'ffmpeg.mp4');
    const options = ['-y', '-v', 'warning', '-i', recorded.address, '-t', '60', '-c', 'copy', file];
    const { printed } = await runPlayer('ffmpeg', options, { seconds: 60 });
    expect(withoutRepeatedMaps(printed)).to.equal('');
    await expectContinuous(file, { maxFrameSeconds, minFrameSeconds: 1 / 60, seconds: 60, within: 0.6 });
  });

  it('is decoded completely by ffmpeg, in every frame size', async () => {
    const { sizes } = await decodedFrames('-i', recorded.address);
    expect(sizes.size, [...sizes].join(' ')).to.be.at.least(5);
  });

  it('sends segments with ranges that are equal in every process', async () => {
    const lists = [recorded.lists.video, recorded.lists.audio].map(async (list) => (await fetch(list)).text());
    const texts = await Promise.all(lists);
    const maps = texts.map((text) => /http[^"]+/.exec(text)?.[0] ?? '');
    const segments = texts.flatMap((text) => text.split('\n').filter((line) => line.startsWith('http')));
    const { playback } = ctx.config;
    const others = await Promise.all(
      (['accel', 'redirect'] as const).map((delivery) =>
        startApi(
          processOf(ctx, {
            config: { ...ctx.config, playback: { ...playback, delivery, cdnUrl: 'https://cdn.example' } },
          }),
        ),
      ),
    );
    try {
      for (const address of [...maps, ...segments]) {
        const whole = await fetch(address);
        const bytes = Buffer.from(await whole.arrayBuffer());
        const etag = whole.headers.get('etag') ?? '';
        expect([whole.status, whole.headers.get('cache-control')]).to.deep.equal([
          200,
          'public, max-age=31536000, immutable',
        ]);
        expect(Number(whole.headers.get('content-length'))).to.equal(bytes.length);
        for (const other of others) {
          const response = await fetch(other.url + new URL(address).pathname, { redirect: 'manual' });
          expect(Buffer.from(await response.arrayBuffer()).equals(bytes), address).to.equal(true);
        }
        const head = await fetch(address, { method: 'HEAD' });
        expect([head.headers.get('content-length'), head.headers.get('etag')]).to.deep.equal([`${bytes.length}`, etag]);
        // Not with `fetch`, which bypasses caches in conditional requests.
        const { pathname } = new URL(address);
        const known = await rawRequest(api, { method: 'GET', path: pathname, headers: ['If-None-Match', etag] });
        expect(known.status).to.equal(304);
        const boundary = bytes.indexOf('mdat') + 4;
        for (const [start, end] of [
          [0, 0],
          [0, boundary - 1],
          [boundary - 3, boundary + 90],
          [boundary + 60, bytes.length - 1],
        ] as const) {
          if (start >= bytes.length) continue;
          const part = await fetch(address, { headers: { Range: `bytes=${start}-${end}` } });
          expect(part.status).to.equal(206);
          const expected = bytes.subarray(start, end + 1);
          expect(Buffer.from(await part.arrayBuffer()).equals(expected), `${start}-${end}`).to.equal(true);
        }
        const beyond = await fetch(address, { headers: { Range: `bytes=${bytes.length}-` } });
        expect(beyond.status).to.equal(416);
      }
      const forged = (segments[0] ?? '').replace(/\/track\/video\/(\d+)-/, '/track/video/9$1-');
      expect((await fetch(forged)).status).to.equal(403);
    } finally {
      for (const other of others) await other.close();
    }
  });

  itWith(requirements.vlc, 'plays across all joins in VLC', async function () {
    const whole = (await readWhole(folder, recorded.address)).filter(({ kind }) => kind === 'video');
    const { stdout, printed } = await recordWithVlc(recorded.address, 60);
    const frames = (await recordedPackets(stdout)).filter(({ kind }) => kind === 'video');
    expect(frames.length, printed.slice(-2000)).to.be.at.least(whole.length - 5);
    const [first, last] = [frames[0], frames.at(-1)];
    const seconds = (whole.at(-1)?.pts ?? 0) - (whole[0]?.pts ?? 0);
    expect((last?.pts ?? 0) - (first?.pts ?? 0)).to.be.closeTo(seconds, 0.5);
  });
});

describe('the continuous form of a live stream whose encoder returns with another frame size', function () {
  this.timeout(120_000);
  let ctx: TestContext;
  let api: TestApi;
  let folder: string;
  let address: string;
  /** The duration of all segments in seconds. */
  let seconds: number;

  before(async () => {
    folder = await mkdtemp(join(process.env['TEST_RUN_DIR'] ?? tmpdir(), 'players-'));
    const port = await freePort();
    const publicUrl = { PUBLIC_URL: `http://127.0.0.1:${port}` };
    ctx = await openTestContext({ ...publicUrl, LIVE_RENDITIONS: '180,120', LIVE_PRESET: 'ultrafast' });
    api = await startApi(ctx, port);
    const channel = await seedLiveChannel(ctx);
    const { channelId: streamId, ownerId } = channel;
    const bFrames = ['-c:v', 'libx264', '-preset', 'veryfast', '-bf', '3'];
    const sent = [
      { seconds: 5, video: bFrames },
      { seconds: 4, size: '240x320', rate: '25', audio: ['-c:a', 'aac', '-ar', '44100', '-ac', '1'] },
      { seconds: 3, rate: '24', video: bFrames },
    ];
    seconds = 0;
    for (const options of sent) {
      const leaseOwner = randomUUID();
      const opened = await openRun(ctx, { streamId, ownerId, source: 'RTMP', leaseOwner, clientAddress: null });
      const { segments } = await packageStream(ctx, ownerId, await makeFlv(options), {
        run: { ...opened, leaseOwner },
      });
      await endRun(ctx, { runId: opened.runId, reason: 'closed' });
      seconds += segments.reduce((sum, { durationMicroseconds }) => sum + durationMicroseconds / 1e6, 0);
    }
    ctx.clock.advance(61_000);
    await endIdleLiveSessions(ctx);
    address = `${api.url}${channel.pathOf(streamId)}continuous/master.m3u8`;
  });
  after(async () => {
    await api?.close();
    await ctx?.close();
    await rm(folder, { recursive: true, force: true });
  });

  it('has the duration of its segments and increasing decoding times in a recording by ffmpeg', async () => {
    const file = join(folder, 'ffmpeg.mp4');
    const start = ['-live_start_index', '0', '-i', address];
    const { printed } = await runPlayer('ffmpeg', ['-y', '-v', 'warning', ...start, '-c', 'copy', file], {
      seconds: 60,
    });
    expect(withoutRepeatedMaps(printed)).to.equal('');
    await expectContinuous(file, { maxFrameSeconds: 1 / 24, minFrameSeconds: 1 / 30, seconds, within: 0.1 });
  });

  it('is decoded completely by ffmpeg, in every frame size', async () => {
    const { count, sizes } = await decodedFrames('-live_start_index', '0', '-i', address);
    expect(count).to.be.closeTo(5 * 30 + 4 * 25 + 3 * 24, 3);
    expect(sizes.size).to.equal(2);
  });

  itWith(requirements.vlc, 'plays across all joins in VLC', async () => {
    const { stdout, printed } = await recordWithVlc(address, 60);
    const times = (await recordedPackets(stdout)).filter(({ kind }) => kind === 'video').map(({ pts }) => pts);
    expect(Math.max(...times) - Math.min(...times), printed.slice(-2000)).to.be.closeTo(seconds, 0.5);
  });
});

/** ffmpeg reads only the first initialisation segment and logs each other one, which it does not need. */
function withoutRepeatedMaps(printed: string): string {
  return printed
    .split('\n')
    .filter((line) => !/Found duplicated MOOV Atom|Last message repeated/.test(line))
    .join('\n');
}

async function readWhole(folder: string, address: string): Promise<RecordedPacket[]> {
  const file = join(folder, 'whole.mp4');
  await runPlayer('ffmpeg', ['-y', '-v', 'error', '-i', address, '-c', 'copy', file], { seconds: 60 });
  return recordedPackets(file);
}

interface Continuity {
  readonly maxFrameSeconds: number;
  readonly minFrameSeconds: number;
  readonly seconds: number;
  readonly within: number;
}

/** Expects increasing decoding times, the correct duration, all frames once, and at most one missing or duplicate audio packet. */
async function expectContinuous(file: string, expected: Continuity): Promise<void> {
  const packets = await recordedPackets(file);
  for (const kind of ['video', 'audio'] as const) {
    const ofKind = packets.filter((packet) => packet.kind === kind);
    expect(ofKind.length).to.be.above(100);
    expect(Math.min(...steps(ofKind.map(({ dts }) => dts))), 'steps of decoding times').to.be.above(0);
    const times = ofKind.map(({ pts }) => pts).toSorted((left, right) => left - right);
    const [min, max] =
      kind === 'video' ? [expected.minFrameSeconds, expected.maxFrameSeconds] : [packetSeconds, maxSilenceSeconds];
    expect(Math.max(...steps(times)), `gap of ${kind}`).to.be.at.most(max + toleranceSeconds);
    expect(Math.min(...steps(times)), `gap of ${kind}`).to.be.at.least(min - toleranceSeconds);
    expect((times.at(-1) ?? 0) - (times[0] ?? 0), kind).to.be.closeTo(expected.seconds, expected.within);
  }
}

/** The number of frames that ffmpeg decodes without a warning, and their sizes. */
async function decodedFrames(...input: string[]): Promise<{ readonly count: number; readonly sizes: Set<unknown> }> {
  const output = ['-map', '0:v', '-map', '0:a', '-autoscale', '0', '-fps_mode', 'passthrough', '-f', 'framecrc', '-'];
  const { stdout, printed } = await runPlayer('ffmpeg', ['-v', 'warning', ...input, ...output], { seconds: 60 });
  expect(withoutRepeatedMaps(printed)).to.equal('');
  const frames = stdout
    .toString()
    .split('\n')
    .filter((line) => line.startsWith('0,'));
  return { count: frames.length, sizes: new Set(frames.map((line) => line.split(',')[4])) };
}

function steps(times: readonly number[]): number[] {
  return times.slice(1).map((time, index) => time - (times[index] ?? 0));
}
