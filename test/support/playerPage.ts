import axe from 'axe-core';
import { expect } from 'chai';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { eventually } from './eventually.js';

/** The state of page and playback at one moment. */
export interface Sight {
  readonly at: number;
  readonly duration: number;
  readonly frames: number;
  readonly lines: number;
  readonly paused: boolean;
  readonly seeking: boolean;
  readonly muted: boolean;
  readonly volume: number;
  readonly state: string;
  readonly notice: string;
  readonly levels: readonly number[];
}

/** Evaluated in the page. `fresh`: not started, or ended. */
export const look = `(() => {
  const video = document.querySelector('video');
  const player = document.getElementById('player');
  const notice = document.querySelector('[data-control=notice]');
  const has = (name) => player.hasAttribute(name);
  const state = !notice.hidden ? 'stopped' : !has('mediahasplayed') || has('mediaended') ? 'fresh'
    : has('medialoading') ? 'waiting' : 'playing';
  return {
    at: video.currentTime, duration: video.duration, frames: video.getVideoPlaybackQuality().totalVideoFrames,
    lines: video.videoHeight, paused: video.paused, seeking: video.seeking, muted: video.muted, volume: video.volume,
    state, notice: notice.hidden ? '' : notice.textContent.trim(),
    levels: player.hls ? player.hls.levels.map((level) => level.height) : [],
  };
})()`;

/** Evaluated in the page: the label of the focused element, also inside of media-chrome elements. */
const focusedLabel = `(() => {
  const host = document.activeElement;
  return (host.shadowRoot?.activeElement ?? host).getAttribute('aria-label') ?? '';
})()`;

/** Buffers little, so that a seek needs the service. */
export const shortBuffer = `Object.assign(document.getElementById('player').hls.config, { maxBufferLength: 2, maxMaxBufferLength: 4 })`;

export type See = () => Promise<Sight>;

/** Opens a URL in a fresh profile; script errors and violations of its content security policy are added to `faults`. */
export async function withPage(
  browser: Browser,
  { url, options, faults }: { url: string; options: BrowserContextOptions; faults: string[] },
  work: (page: Page, see: See) => Promise<void>,
): Promise<void> {
  const context = await browser.newContext({ viewport: { width: 640, height: 360 }, ...options });
  try {
    const page = await context.newPage();
    page.on('pageerror', (error) => faults.push(error.message));
    page.on('console', (message) => {
      if (message.type() === 'error' && !message.text().startsWith('Failed to load resource'))
        faults.push(message.text());
    });
    await page.goto(url);
    await work(page, () => page.evaluate<Sight>(look));
  } finally {
    await context.close();
  }
}

/** The labels of the elements that the next presses of the tab key focus. */
export async function tabStops(page: Page, count: number): Promise<readonly string[]> {
  const labels: string[] = [];
  while (labels.length < count) {
    await page.keyboard.press('Tab');
    labels.push(await page.evaluate<string>(focusedLabel));
  }
  return labels;
}

/** Moves the slider, which ranges from 0 to 1, to a position in seconds. */
export async function moveTo(page: Page, seconds: number): Promise<void> {
  const duration = await page.evaluate<number>(`document.querySelector('video').duration`);
  await page.getByRole('slider', { name: 'Position' }).fill(String(seconds / duration));
}

/** Waits until playback has passed a position in seconds; times out 20 s after the expected time. */
export function playing(see: See, from = 0, takesSeconds = 0): Promise<Sight> {
  return eventually(
    async () => {
      const sight = await see();
      expect(sight, JSON.stringify(sight)).to.include({ state: 'playing', paused: false, seeking: false });
      expect(sight.at).to.be.above(from);
      return sight;
    },
    { timeoutMs: 20_000 + takesSeconds * 1000, everyMs: 100 },
  );
}

/** For pages checked with axe-core, which tries out styles that the content security policy blocks. */
export const permitsAxe = { bypassCSP: true };

/** The violations that axe-core finds in the current page and its media-chrome elements: rules and elements. */
export async function accessibilityFaults(page: Page): Promise<readonly string[]> {
  await page.evaluate(`if (!window.axe) { ${axe.source} }`);
  return page.evaluate<string[]>(
    `axe.run().then(({ violations }) => violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => id + ': ' + html)))`,
  );
}

/** Evaluated in the page: collects the video segments that hls.js requests. */
export const watchSegments = `(() => {
  const { hls } = document.getElementById('player');
  const requested = [];
  hls.on('hlsFragLoading', (_event, { frag }) => {
    if (frag.type === 'main' && frag.sn !== 'initSegment') requested.push({ frag, height: hls.levels[frag.level].height });
  });
  window.segments = () => requested.map(({ frag: { stats }, height }) => ({ height, bytes: stats.total, isAborted: stats.aborted }));
})()`;

/** Evaluated in the page: width and height of the poster. */
export const posterSize = `(async () => {
  const image = new Image();
  image.src = document.querySelector('video').poster;
  await image.decode();
  return [image.naturalWidth, image.naturalHeight];
})()`;
