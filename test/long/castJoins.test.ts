import { expect } from 'chai';
import type { Browser } from 'playwright-core';
import { startLive, type LiveProcess } from '../../workers/live/liveProcess.js';
import { packageRun } from '../../workers/live/packaging/packageRun.js';
import { publicToken, startApi, type TestApi } from '../support/api.js';
import { openBrowser } from '../support/browser.js';
import { makeStampedClip } from '../support/cast/stampedClip.js';
import { inSequence, openStation, secondIn, untilTime, type TestStation } from '../support/cast/station.js';
import {
  describePrograms,
  expectPrograms,
  liveJoinSeconds,
  repeatedFiles,
  seenPrograms,
  watchChannel,
  type Expected,
} from '../support/cast/watch.js';
import { withRealClock, openTestContext, type TestContext } from '../support/context.js';
import { eventually } from '../support/eventually.js';
import { keyAddress } from '../support/live/publishers.js';
import { startViewer } from '../support/live/viewer.js';
import { liveCoding, makeClip } from '../support/media.js';
import { freePort } from '../support/processes.js';
import { startEncoder, type Encoder } from '../support/rtmp/encoder.js';
import { startWorkers } from '../support/workers.js';
import { castDelaySeconds } from '../../shared/cast/playout.service.js';
import { describeWith, requirements } from '../support/requirements.js';

const settings = {
  RTMP_HOST: '127.0.0.1',
  RTMP_PORT: '0',
  LIVE_RENDITIONS: '240',
  LIVE_PRESET: 'ultrafast',
  LIVE_LOW_LATENCY: 'false',
  CAST_FREEZE_SECONDS: '5',
  CAST_MAX_HEIGHT: '360',
};
/** One rendition; the first content has two. */
const small = '426x240';
const surround = 'aevalsrc=0.2*sin(880*PI*t)|0|0.1*sin(660*PI*t)|0|0|0.1*sin(440*PI*t):c=5.1:s=44100';
/** Programs begin so long after they are stored. */
const aheadSeconds = 10;
/** The encoder runs so much longer than its program: each second of it is transcoded. */
const encoderMargin = { beforeSeconds: 8, afterSeconds: 3 };

/**
 * Contents of all shapes, a break and a live stream, one after the other: uploaded, transcoded and programmed through the
 * real service, and played by hls.js in real time.
 */
describeWith(requirements.chromium, 'the joins of a cast channel in a browser', function () {
  this.timeout(240_000);
  let browser: Browser;
  let ctx: TestContext;
  let api: TestApi;
  let live: LiveProcess;
  let workers: { close: () => Promise<void> };
  let station: TestStation;
  let encoder: Encoder | undefined;

  before(async () => {
    browser = await openBrowser();
    const port = await freePort();
    const context = await openTestContext(
      { ...settings, PUBLIC_URL: `http://127.0.0.1:${port}` },
      { limits: [[castDelaySeconds, 4]] },
    );
    ctx = withRealClock(context);
    api = await startApi(ctx, port);
    live = await startLive(ctx, packageRun);
    workers = await startWorkers(ctx);
    station = await openStation(ctx, api);
  });

  after(async () => {
    await encoder?.kill();
    await browser?.close();
    await workers?.close();
    await live?.close();
    await api?.close();
    await ctx?.close();
  });

  it('plays all shapes, a break and a live stream without a fatal error, and the right frames at each second', async () => {
    const liveClip = await makeStampedClip({ clip: 9, seconds: 20, size: small, coding: liveCoding });
    const stream = await station.stream('Studio');
    const [stereo, silent, audioOnly, portrait, narrow] = await station.upload([
      await makeStampedClip({ clip: 1, seconds: 7 }),
      await makeStampedClip({ clip: 2, seconds: 4, size: small, rate: '60', audio: null }),
      await makeClip('m4a', ['-f', 'lavfi', '-i', 'sine=f=500:r=48000:d=4', '-c:a', 'aac']),
      await makeStampedClip({ clip: 4, seconds: 5, size: '240x426', rate: '30000/1001' }),
      await makeStampedClip({ clip: 5, seconds: 5, size: '320x240', rate: '30', audio: surround }),
    ]);
    const masterUrl = await station.play(await publicToken(api));
    const recorded = (boxId: string | undefined, offsetSeconds = 0) =>
      ({ type: 'PRERECORDED', boxId: boxId ?? '', offsetSeconds }) as const;
    const shows: Parameters<typeof inSequence>[1] = [
      { title: 'stereo at 25 fps, from its second second', seconds: 4, show: recorded(stereo, 2) },
      { title: 'no audio, 60 fps', seconds: 3, show: recorded(silent) },
      { title: 'audio only', seconds: 3, show: recorded(audioOnly) },
      { title: 'portrait at 29.97 fps', seconds: 3, show: recorded(portrait, 1) },
      { title: 'break', seconds: 3, show: { type: 'BREAK' } },
      { title: '4:3 at 30 fps, 5.1 at 44.1 kHz', seconds: 4, show: recorded(narrow) },
      { title: 'live', seconds: 6, show: { type: 'LIVE', streamId: stream.streamId } },
      { title: 'stereo again', seconds: 4, show: recorded(stereo) },
    ];
    // However slow this machine is: the cuts are stored before the programs begin.
    await station.program(inSequence(secondIn(60), shows));
    const cuts = () => ctx.db.rows<{ state: string }>('SELECT DISTINCT state FROM cast_cuts');
    await eventually(async () => expect(await cuts()).to.deep.equal([{ state: 'READY' }]), { timeoutMs: 60_000 });
    const programs = inSequence(secondIn(aheadSeconds), shows);
    await station.program(programs);
    const clips = [1, 2, null, 4, null, 5, 9, 1];
    const expected = programs.map((program, index): Expected => {
      const clip = clips[index] ?? null;
      if (clip === 9) return { program, clip, joinSeconds: liveJoinSeconds };
      const offsetSeconds = program.show.type === 'PRERECORDED' ? (program.show.offsetSeconds ?? 0) : 0;
      return { program, clip, offsetSeconds, ...(index === 7 ? { joinSeconds: liveJoinSeconds } : {}) };
    });

    const viewer = await startViewer(masterUrl, { repeated: repeatedFiles });
    const watching = await watchChannel(browser, masterUrl, { liveSyncDuration: 4 });
    const end = programs.at(-1)!.endsAt;
    const onAir = programs[clips.indexOf(9)]!;
    await untilTime(onAir.startsAt - encoderMargin.beforeSeconds * 1000);
    encoder = startEncoder(liveClip, keyAddress(live.port, stream), { isLive: true });
    await untilTime(onAir.endsAt + encoderMargin.afterSeconds * 1000);
    await encoder.kill();
    await eventually(
      async () => {
        const { fatal } = await watching.errors();
        if (fatal.length > 0) return;
        const frames = await watching.frames();
        expect(frames.at(-1)?.at ?? 0, 'the frame of the last second').to.be.above(end);
      },
      { timeoutMs: end - Date.now() + 40_000, everyMs: 500 },
    );
    const errors = await watching.errors();
    const frames = await watching.frames();
    const seen = seenPrograms(frames, expected);
    console.error(describePrograms(seen));
    expect(errors.fatal, JSON.stringify(errors.others)).to.deep.equal([]);
    expectPrograms(seen, expected);
    const audible = frames.filter(({ at }) => at > programs[0]!.startsAt && at < end);
    expect(audible.at(-1)!.audioBytes - audible[0]!.audioBytes, 'audio').to.be.above(100_000);
    await viewer.stop();
  });
});
