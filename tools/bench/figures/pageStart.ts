import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Browser } from 'playwright-core';
import { withErrorListener } from '../../../shared/platform/errorListener.js';
import { dataOf } from '../../../client/index.js';
import type { BenchContext } from '../benchContext.js';
import { startChromium } from '../../chromium.js';
import { NotMeasured, type Figure } from '../figure.js';
import { untilComplete, upload } from '../ingest.js';
import { startService, type Service } from '../service.js';
import { sideBySide } from '../sideBySide.js';

const timeoutMs = 30_000;

export const pageStartFigure: Figure = {
  name: 'page-start',
  title: 'From the navigation to the player page to the first frame of a video, against a page that has hls.js alone',
  target: { atMost: 1.5 },
  reason: 'A viewer waits for the first frame: the page costs little beside the player library.',
  method:
    'A video of 12 s in all renditions, published for free. Chromium, with an empty cache each time, opens the player page with `autoplay=1&muted=1`; measured ' +
    'until the first frame is shown. Reference: a page with one `video` and the same build of hls.js, without controls, from a bare Node server; ' +
    'both pages have the address of the playlist in them.',
  async measure(bench) {
    const browser = await startChromium();
    if (!browser) throw new NotMeasured('there is no Chromium: set CHROMIUM_PATH');
    bench.cleanups.add(() => browser.close());
    const { service, vodId } = await publishedVideo(bench);
    const { url, user } = service;
    const headers = { Authorization: `Bearer ${user.token}` };
    const response = await fetch(`${url}/embed/playback?vod=${vodId}`, { headers });
    const { playback } = (await response.json()) as { playback: { path: string } };
    const bare = await serveBarePage(bench, url + playback.path);
    return sideBySide({
      ...{ unit: 'ms', warmUps: 1, rounds: bench.quick ? 2 : 10, onProgress: bench.onProgress },
      ours: () => firstFrameMs(browser, `${url}/embed/?vod=${vodId}&autoplay=1&muted=1`),
      reference: () => firstFrameMs(browser, bare),
    });
  },
};

async function publishedVideo(bench: BenchContext): Promise<{ readonly service: Service; readonly vodId: string }> {
  const service = await startService(bench);
  const worker = await bench.start('workers/main.js', service.environment);
  const one = await upload(service, await bench.clips.short());
  await untilComplete(service, one);
  const published = await service.video.api.POST('/api/box/{boxId}/vod', {
    ...{ params: { path: { boxId: one.boxId } }, body: { licenseType: 'FREE' } },
  });
  const { vodId } = dataOf(published);
  await worker.stop();
  return { service, vodId };
}

/** The address of a page that plays a playlist. */
async function serveBarePage({ cleanups }: BenchContext, playlist: string): Promise<string> {
  const library = readFileSync(createRequire(import.meta.url).resolve('hls.js/dist/hls.min.js'));
  const page = `<!doctype html><title>Bare</title><video muted playsinline></video><script src="/hls.js"></script><script>
    const video = document.querySelector('video');
    const hls = new Hls();
    hls.on(Hls.Events.MANIFEST_PARSED, () => video.play());
    hls.loadSource(${JSON.stringify(playlist)});
    hls.attachMedia(video);
  </script>`;
  const server = withErrorListener(
    createServer(({ url }, response) => {
      const isLibrary = url === '/hls.js';
      response.setHeader('Content-Type', isLibrary ? 'text/javascript' : 'text/html').end(isLibrary ? library : page);
    }),
  );
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  cleanups.add(() => new Promise<void>((resolve) => void server.close(() => resolve())));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}

/** Runs before the page's own scripts. Times count from the navigation. */
const watchFirstFrame = `(() => {
  const find = () => {
    const video = document.querySelector('video');
    if (video) video.requestVideoFrameCallback((now) => (window.firstFrameMs = now));
    else requestAnimationFrame(find);
  };
  find();
})()`;

async function firstFrameMs(browser: Browser, address: string): Promise<number> {
  const context = await browser.newContext({ viewport: { width: 960, height: 540 } });
  try {
    const page = await context.newPage();
    await page.addInitScript(watchFirstFrame);
    await page.goto(address);
    const startedAt = performance.now();
    for (;;) {
      const shown = await page.evaluate<number | null>('window.firstFrameMs ?? null');
      if (shown !== null) return shown;
      if (performance.now() - startedAt > timeoutMs) throw new Error(`no frame of ${address}`);
      await sleep(50);
    }
  } finally {
    await context.close();
  }
}
