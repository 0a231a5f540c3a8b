import { expect } from 'chai';
import type { Browser } from 'playwright-core';
import { openBrowser } from '../support/browser.js';
import { publicToken } from '../support/api.js';
import { watchPlaylists } from './playlistWatch.js';
import {
  brightnessFilter,
  makeStampedClip,
  readStamps,
  describePrograms,
  expectPrograms,
  liveJoinSeconds,
  seenPrograms,
  watchChannel,
  type Expected,
  type SeenFrame,
} from './castWatch.js';
import {
  inSequence,
  openStation,
  secondIn,
  untilTime,
  type TestProgram,
  type TestStation,
} from '../support/cast/station.js';
import { repeatedFiles } from '../support/hlsReader.js';
import { openDeployment, type TestDeployment, type BuiltProcess, freePort } from '../support/deployment.js';
import { eventually } from '../support/eventually.js';
import { keyAddress } from '../support/liveStreams.js';
import { startViewer } from '../support/live/viewer.js';
import { liveCoding, runTool, makeClip } from '../support/media.js';
import { startEncoder, type Encoder } from '../support/rtmp/encoder.js';
import { describeWith, requirements } from '../support/requirements.js';

const freezeSeconds = 30;
const settings = {
  RTMP_HOST: '127.0.0.1',
  LIVE_RENDITIONS: '360,240',
  LIVE_PRESET: 'ultrafast',
  LIVE_LOW_LATENCY: 'false',
  CAST_FREEZE_SECONDS: String(freezeSeconds),
  CAST_MAX_HEIGHT: '360',
};
const surround = 'aevalsrc=0.2*sin(880*PI*t)|0|0.1*sin(660*PI*t)|0|0|0.1*sin(440*PI*t):c=5.1:s=44100';
/** The outage of the live program's encoder. */
const outage = { afterSeconds: 14, lastsSeconds: 7 };
/** On a busy machine the last segment of a live program is stored too late, and the slate replaces it. */
const lastSegmentSeconds = 2.25;
/** The loss of a live program in the outage: the incomplete segment and the next one. */
const outageMarginSeconds = 4.5;

/**
 * Seven programs in three minutes, through built processes: two web processes, worker, clock and live process. hls.js in Chromium
 * reads from the first web process, ffmpeg from the second one, which is killed and restarts.
 */
describeWith(requirements.chromium, 'a cast channel in real time', function () {
  this.timeout(480_000);
  let browser: Browser;
  let deployment: TestDeployment;
  let station: TestStation;
  let rtmpPort: number;
  let secondPort: number;
  let second: BuiltProcess;
  let encoder: Encoder | undefined;

  const startSecond = () => deployment.start('web', { PORT: String(secondPort) });

  before(async () => {
    browser = await openBrowser();
    rtmpPort = await freePort();
    secondPort = await freePort();
    deployment = await openDeployment({ ...settings, RTMP_PORT: String(rtmpPort) });
    const others = (['web', 'worker', 'clock', 'live'] as const).map((kind) => deployment.start(kind));
    [second] = await Promise.all([startSecond(), ...others]);
    station = await openStation(deployment.ctx, deployment.api);
  });

  after(async () => {
    await encoder?.kill();
    await browser?.close();
    await deployment?.close();
  });

  it('shows the correct content at each second, across an edit, a killed encoder and a killed web process', async () => {
    const [stereo, portrait, small, silent, replaced, audioOnly] = await station.upload([
      await makeStampedClip({ clip: 1, seconds: 42 }),
      await makeStampedClip({ clip: 2, seconds: 30, size: '360x640', rate: '30000/1001' }),
      await makeStampedClip({ clip: 3, seconds: 30, size: '320x240', rate: '30', audio: surround }),
      await makeStampedClip({ clip: 4, seconds: 40, rate: '60', audio: null }),
      await makeStampedClip({ clip: 5, seconds: 40 }),
      await makeClip('m4a', ['-f', 'lavfi', '-i', 'sine=f=500:r=48000:d=15', '-c:a', 'aac']),
    ]);
    const { streamId, ...login } = await station.stream('Studio');
    const liveClip = await makeStampedClip({ clip: 9, seconds: 100, coding: liveCoding });
    const recorded = (boxId: string | undefined, offsetSeconds = 0) =>
      ({ type: 'PRERECORDED', boxId: boxId ?? '', offsetSeconds }) as const;
    const day = (last: string | undefined, from: number): TestProgram[] =>
      inSequence(from, [
        { title: 'stereo at 25 fps, from its seventh second', seconds: 33, show: recorded(stereo, 7) },
        { title: 'portrait at 29.97 fps, from its third second', seconds: 26, show: recorded(portrait, 3) },
        { title: 'audio only', seconds: 12, show: recorded(audioOnly) },
        { title: 'break', seconds: 15, show: { type: 'BREAK' } },
        { title: 'live', seconds: 45, show: { type: 'LIVE', streamId } },
        { title: 'one rendition, 5.1 at 44.1 kHz', seconds: 26, show: recorded(small, 2) },
        { title: 'no audio, 60 fps, stored in place of another', seconds: 35, show: recorded(last, 5) },
      ]);
    const masterUrl = await station.play(await publicToken(deployment.api));
    const startsAt = secondIn(freezeSeconds + 12);
    await station.program(day(replaced, startsAt));
    const programs = day(silent, startsAt);
    const live = programs[4]!;
    const end = programs.at(-1)!.endsAt;

    const atSecond = masterUrl.replace(/:\d+\//, `:${secondPort}/`);
    const viewer = await startViewer(atSecond, { repeated: repeatedFiles });
    const lists = [masterUrl, atSecond].map((address) => address.replace('master.m3u8', 'video-360p.m3u8'));
    const playlists = watchPlaylists(lists);
    const watching = await watchChannel(browser, masterUrl);
    const seconds = Math.ceil((end - Date.now()) / 1000);
    const decoding = runTool('ffmpeg', [
      ...['-i', masterUrl, '-map', '0:v:0', '-vf', brightnessFilter, '-t', String(seconds), '-f', 'rawvideo', '-'],
    ]);
    decoding.catch(() => {});

    await untilTime(startsAt + 5_000);
    await station.program(programs);
    await second.end('SIGKILL');
    second = await startSecond();
    await untilTime(live.startsAt - 6_000);
    const spawnedAt = [Date.now()];
    encoder = startEncoder(liveClip, keyAddress(rtmpPort, login), { isLive: true });
    const killedAt = live.startsAt + outage.afterSeconds * 1000;
    await untilTime(killedAt);
    await encoder.kill();
    await untilTime(killedAt + outage.lastsSeconds * 1000);
    spawnedAt.push(Date.now());
    encoder = startEncoder(liveClip, keyAddress(rtmpPort, login), { isLive: true });

    await eventually(
      async () => {
        expect((await watching.errors()).fatal).to.deep.equal([]);
        expect((await watching.frames()).at(-1)?.at ?? 0, 'the frame of the last second').to.be.above(end);
      },
      { timeoutMs: end - Date.now() + 60_000, everyMs: 1000 },
    );
    const clips = [1, 2, null, null, 9, 3, 4];
    const offsets = [7, 3, 0, 0, undefined, 2, 5];
    const expected = programs.map((program, index): Expected => {
      const offsetSeconds = offsets[index];
      // The end of a live program is unknown in advance: the next program has no cut in time.
      const joins = index >= 4 ? { joinSeconds: liveJoinSeconds } : {};
      return {
        program,
        clip: clips[index] ?? null,
        ...joins,
        ...(offsetSeconds === undefined ? {} : { offsetSeconds }),
      };
    });
    const frames = await watching.frames();
    const isOut = ({ at }: SeenFrame) =>
      at > killedAt - outageMarginSeconds * 1000 && at < spawnedAt[1]! + outageMarginSeconds * 1000;
    const outOfOutage = frames.filter((frame) => !isOut(frame));
    const errors = await watching.errors();
    const seen = seenPrograms(outOfOutage, expected);
    const versions = await playlists.stop();
    console.error(`${describePrograms(seen)}\n      ${versions} playlists, the same from both web processes`);
    console.error(`      errors of hls.js that are not fatal: ${JSON.stringify(errors.others)}`);
    expect(errors.fatal).to.deep.equal([]);
    expectPrograms(seen, expected);
    expectCaptureTimes(outOfOutage, spawnedAt);
    expect(
      frames.filter((frame) => isOut(frame) && frame.stamp === null),
      'slate while the encoder is away',
    ).not.to.have.length(0);
    await viewer.stop();
    const shown = readStamps(await decoding).map((stamp) => stamp?.clip ?? null);
    expect(shownClips(shown, lastSegmentSeconds * (shown.length / seconds)), 'what ffmpeg has shown').to.deep.equal([
      ...[null, 1, 2, null, 9, null, 9],
      ...(shown.slice(-1)[0] === 4 ? [3, 4] : [3]),
    ]);
  });
});

/** The clips in order, without a slate of at most this number of frames that replaces the live program's last segment. */
function shownClips(shown: readonly (number | null)[], lastSegmentFrames: number): (number | null)[] {
  const starts = shown.flatMap((clip, index) => (clip === shown[index - 1] ? [] : index));
  const clips = starts.map((start) => shown[start] ?? null);
  return clips.filter((clip, index) => {
    const frames = (starts[index + 1] ?? shown.length) - (starts[index] ?? 0);
    return clip !== null || clips[index - 1] !== 9 || clips[index + 1] === 9 || frames > lastSegmentFrames;
  });
}

/** The first frame of an encoder arrives late; afterwards each frame has its capture time. */
function expectCaptureTimes(frames: readonly SeenFrame[], spawnedAt: readonly number[]): void {
  const live = frames.filter(({ stamp }) => stamp?.clip === 9);
  for (const [index, spawned] of spawnedAt.entries()) {
    const next = spawnedAt[index + 1] ?? Number.POSITIVE_INFINITY;
    const delays = live
      .filter(({ at }) => at > spawned && at < next)
      .map(({ at, stamp }) => (at - spawned) / 1000 - stamp!.seconds);
    expect(delays.length, 'live frames').to.be.above(10);
    expect(Math.min(...delays), 'from the start of the encoder').to.be.above(-0.5);
    expect(Math.max(...delays), 'from the start of the encoder').to.be.below(3.5);
  }
}
