import { setTimeout as sleep } from 'node:timers/promises';
import type { Page } from 'playwright-core';
import { prepareBroadcast, type Broadcast } from '../../demo/live/broadcast.js';
import { freePort } from '../../embedded/freePort.js';
import type { BenchContext } from '../benchContext.js';
import { startChromium } from '../chromium.js';
import { medianOf, NotMeasured, type Figure, type Measured } from '../figure.js';
import { startService } from '../service.js';
import { publishStamped, secondsSinceCapture } from '../stampedEncoder.js';

/** What the page shows at one moment. */
interface Moment {
  /** Since the first frame. */
  readonly seconds: number;
  readonly behindSeconds: number;
}

interface Watched {
  readonly moments: readonly Moment[];
  readonly stalls: number;
}

const sides =
  'An ffmpeg captures, encodes and publishes 480p30 with a keyframe every two seconds over RTMP; each frame shows the time of ' +
  'its capture. The built live process packages it with its default settings. Chromium opens the player page of the built web ' +
  'process and starts to play. What it shows is compared with the clock four times a second; measured is the median of the 20 s ' +
  'that begin 10 s after the first frame. ';

export const latencyWithPartsFigure: Figure = {
  name: 'live-latency-parts',
  title: 'Player of a live event behind its encoder, with parts',
  target: { atMost: 4 },
  targetUnit: 's',
  method: `${sides}The playlist has parts.`,
  measure: async (bench) => measuredOf(bench, (await watchBoth(bench)).parts),
};

export const latencyInSegmentsFigure: Figure = {
  name: 'live-latency-segments',
  title: 'Player of a live event behind its encoder, with whole segments',
  target: { atMost: 9 },
  targetUnit: 's',
  method: `${sides}The web process has LIVE_LOW_LATENCY=false, so the playlist has segments of two seconds only.`,
  measure: async (bench) => measuredOf(bench, (await watchBoth(bench)).segments),
};

/** The player begins at the live edge, and corrects its distance in this time. */
const settlingSeconds = 10;
const momentsPerSecond = 4;
/** A playlist is complete after so long. */
const publishedSeconds = 16;
const maximumWatchMs = 90_000;
/** Larger distances are frames without a stamp. */
const maximumSeconds = 60;

function steadySeconds({ quick }: BenchContext): number {
  return quick ? 4 : 20;
}

function measuredOf(bench: BenchContext, { moments, stalls }: Watched): Measured {
  const steady = moments.filter(({ seconds }) => seconds >= settlingSeconds).map(({ behindSeconds }) => behindSeconds);
  if (steady.length < steadySeconds(bench) * momentsPerSecond * 0.8) throw new Error('the player did not play');
  const result = medianOf(steady);
  const early = steady[0]?.toFixed(1);
  const range = `${Math.min(...steady).toFixed(1)} to ${Math.max(...steady).toFixed(1)} s`;
  const note = `${steady.length} moments, ${range}; 10 s after the first frame ${early} s; stalls: ${stalls}`;
  return { unit: 's', ours: result, reference: null, result, note };
}

interface Both {
  readonly parts: Watched;
  readonly segments: Watched;
}

/** Both figures use the same encoder. */
function watchBoth(bench: BenchContext): Promise<Both> {
  return bench.once('live-latency', () => watch(bench));
}

async function watch(bench: BenchContext): Promise<Both> {
  const browser = await startChromium();
  if (!browser) throw new NotMeasured('there is no Chromium: set CHROMIUM_PATH');
  bench.cleanups.add(() => browser.close());
  const { url, video, environment, ctx } = await startService(bench, {
    ...{ RTMP_HOST: '127.0.0.1', RTMP_PORT: String(await freePort()) },
  });
  await bench.start('workers/live.js', environment);
  const PORT = String(await freePort());
  await bench.start('api/main.js', { ...environment, PORT, LIVE_LOW_LATENCY: 'false' });
  const broadcast = await prepareBroadcast({ client: video, config: ctx.config });
  publishStamped(bench, addressOf(broadcast));
  for (let seconds = 0; !(await broadcast.isOnAir()); seconds += 1) {
    if (seconds > 30) throw new Error('the event is not on air');
    await sleep(1_000);
  }
  await sleep(publishedSeconds * 1_000);
  const page = await browser.newPage({ viewport: { width: 960, height: 540 } });
  const viewed = `/embed/?live=${broadcast.channelId}`;
  const parts = await watchPage(bench, page, url + viewed);
  bench.onProgress(50);
  const segments = await watchPage(bench, page, `http://127.0.0.1:${PORT}${viewed}`);
  bench.onProgress(100);
  return { parts, segments };
}

function addressOf({ streamPath, userCode, livePassword, streamingBaseUrl }: Broadcast): string {
  const address = new URL(`${streamingBaseUrl}/${streamPath}`);
  address.username = userCode;
  address.password = livePassword;
  return address.href;
}

/** Collects moments from the first frame on, in the page: no message between processes delays them. */
const collect = `(() => {
  const video = document.querySelector('video');
  const behind = ${secondsSinceCapture};
  window.watched = { moments: [], stalls: 0 };
  video.requestVideoFrameCallback(() => {
    const begun = performance.now();
    video.addEventListener('waiting', () => (watched.stalls += 1));
    setInterval(() => watched.moments.push({ seconds: (performance.now() - begun) / 1000, behindSeconds: behind(video) }), ${1000 / momentsPerSecond});
  });
})()`;

async function watchPage(bench: BenchContext, page: Page, address: string): Promise<Watched> {
  await page.goto(address);
  await page.evaluate(collect);
  await page.getByRole('button', { name: 'Play' }).first().click();
  const lastSeconds = settlingSeconds + steadySeconds(bench);
  const startedAt = performance.now();
  // The content security policy of the page forbids Playwright's own waiting for an expression.
  while ((await page.evaluate<number>('watched.moments.at(-1)?.seconds ?? 0')) < lastSeconds) {
    if (performance.now() - startedAt > maximumWatchMs) throw new Error('the player did not play');
    await sleep(500);
  }
  const { moments, stalls } = await page.evaluate<Watched>('watched');
  return { moments: moments.filter(({ behindSeconds }) => behindSeconds < maximumSeconds), stalls };
}
