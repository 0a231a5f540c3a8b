import { setTimeout as sleep } from 'node:timers/promises';
import type { Page } from 'playwright-core';
import { freePort } from '../../../scripts/embedded/freePort.js';
import { startChromium } from '../../chromium.js';
import { prepareBroadcast } from '../../demo/live/broadcast.js';
import { medianOf, NotMeasured, rangeOf, type Figure } from '../figure.js';
import { startService } from '../service.js';
import { publishStamped, secondsSinceCapture } from '../stampedEncoder.js';

interface Watched {
  /** A sample of the page: seconds since the first frame, and seconds behind the capture. */
  readonly moments: readonly { readonly seconds: number; readonly behindSeconds: number }[];
  readonly stalls: number;
}

/** Time in which the player, which begins at the live edge, corrects its distance. */
const settlingSeconds = 10;
const momentsPerSecond = 4;
/** Time after which a playlist has its full length. */
const publishedSeconds = 16;
const maxWatchMs = 90_000;
/** Larger values are frames without a stamp. */
const maxBehindSeconds = 60;

export const liveLatencyFigure: Figure = {
  name: 'live-latency-parts',
  title: 'Player of a live event behind its encoder, with parts',
  target: { atMost: 4 },
  targetUnit: 's',
  reason: 'README.md: viewers are three seconds behind the encoder.',
  method:
    'An ffmpeg captures, encodes and publishes 480p30 with a keyframe every two seconds over RTMP; each frame shows the time of ' +
    'its capture. The built live process packages it with its default settings. Chromium opens the player page of the built web ' +
    'process and starts to play. The time in the picture is compared with the clock four times a second; measured is the median of the 20 s ' +
    'that begin 10 s after the first frame. The playlist has parts.',
  async measure(bench) {
    const browser = await startChromium();
    if (!browser) throw new NotMeasured('there is no Chromium: set CHROMIUM_PATH');
    bench.cleanups.add(() => browser.close());
    const { url, video, environment, ctx } = await startService(bench, {
      ...{ RTMP_HOST: '127.0.0.1', RTMP_PORT: String(await freePort()) },
    });
    await bench.start('workers/live.js', environment);
    const broadcast = await prepareBroadcast({ client: video, config: ctx.config });
    publishStamped(bench, broadcast.publishUrl);
    for (let seconds = 0; !(await broadcast.isOnAir()); seconds += 1) {
      if (seconds > 30) throw new Error('the event is not on air');
      await sleep(1_000);
    }
    await sleep(publishedSeconds * 1_000);
    const page = await browser.newPage({ viewport: { width: 960, height: 540 } });
    const steadySeconds = bench.quick ? 4 : 20;
    const { moments, stalls } = await watch(page, `${url}/embed/?live=${broadcast.channelId}`, steadySeconds);
    const steady = moments.filter(
      ({ seconds, behindSeconds }) => seconds >= settlingSeconds && behindSeconds < maxBehindSeconds,
    );
    if (steady.length < steadySeconds * momentsPerSecond * 0.8) throw new Error('the player did not play');
    const behind = steady.map(({ behindSeconds }) => behindSeconds);
    const result = medianOf(behind);
    const early = `10 s after the first frame ${behind[0]?.toFixed(1)} s`;
    const note = `${behind.length} moments, ${rangeOf(behind, 1)} s; ${early}; stalls: ${stalls}`;
    return { unit: 's', ours: result, reference: null, result, note };
  },
};

/** Collects samples in the page from the first frame on, so that no message between processes delays them. */
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

async function watch(page: Page, address: string, steadySeconds: number): Promise<Watched> {
  await page.goto(address);
  await page.evaluate(collect);
  await page.getByRole('button', { name: 'Play' }).first().click();
  const startedAt = performance.now();
  const lastSeconds = settlingSeconds + steadySeconds;
  // The page's content security policy blocks Playwright's `waitForFunction`.
  while ((await page.evaluate<number>('watched.moments.at(-1)?.seconds ?? 0')) < lastSeconds) {
    if (performance.now() - startedAt > maxWatchMs) throw new Error('the player did not play');
    await sleep(500);
  }
  return page.evaluate<Watched>('watched');
}
