import { createRequire } from 'node:module';
import { expect } from 'chai';
import type { Browser, Page } from 'playwright-core';
import type { TestProgram } from './station.js';
import { brightnessInPage, readStamp, type Stamp } from './stampedClip.js';

const hlsPath = createRequire(import.meta.url).resolve('hls.js/dist/hls.min.js');

/** Small: without a graphics processor every frame is drawn by the processor. Stamps are read from the frame itself. */
const pageSize = { width: 240, height: 180 };

/** Slates and contents may come again in a list; live segments may not. */
export const repeatedFiles = /\/(cast|content)\//;

/** A frame that was shown. */
export interface SeenFrame {
  /** Its time on the channel's clock, by the playlist: milliseconds since 1970. */
  readonly at: number;
  /** When it was shown. */
  readonly shownAt: number;
  readonly stamp: Stamp | null;
  readonly width: number;
  readonly height: number;
  /** Bytes of audio that were decoded until then. */
  readonly audioBytes: number;
}

interface RawFrame extends Omit<SeenFrame, 'stamp'> {
  readonly brightness: readonly number[];
}

/** What hls.js reports. */
export interface PlayerErrors {
  readonly fatal: readonly string[];
  /** Those after which it goes on, such as a stall. */
  readonly others: readonly string[];
}

export interface Watching {
  readonly page: Page;
  /** All frames seen until now, about ten for each second. */
  frames(): Promise<SeenFrame[]>;
  errors(): Promise<PlayerErrors>;
}

/** Evaluated in a page: plays an address with hls.js and looks at the frames. */
function watchScript(masterUrl: string, config: object): string {
  return `(() => {
    const video = document.querySelector('video');
    const look = ${brightnessInPage};
    const hls = (window.hls = new Hls(${JSON.stringify(config)}));
    Object.assign(window, { frames: [], fatal: [], others: [] });
    hls.on(Hls.Events.ERROR, (_event, { fatal, details, reason, error }) =>
      window[fatal ? 'fatal' : 'others'].push([details, reason ?? error?.message ?? ''].join(' ')));
    let seenAt = 0;
    const onFrame = (now, { mediaTime }) => {
      const date = hls.playingDate;
      if (date && now - seenAt > 90) {
        seenAt = now;
        const { videoWidth: width, videoHeight: height, webkitAudioDecodedByteCount: audioBytes } = video;
        const at = date.getTime() + (mediaTime - video.currentTime) * 1000;
        frames.push({ at, shownAt: Date.now(), width, height, audioBytes, brightness: look(video) });
      }
      video.requestVideoFrameCallback(onFrame);
    };
    video.requestVideoFrameCallback(onFrame);
    hls.loadSource(${JSON.stringify(masterUrl)});
    hls.attachMedia(video);
  })()`;
}

/** Plays a channel with hls.js in a page of its own, without the player page. `config`: of hls.js. */
export async function watchChannel(
  browser: Browser,
  masterUrl: string,
  config: Readonly<Record<string, unknown>> = {},
): Promise<Watching> {
  const page = await browser.newPage({ bypassCSP: true, viewport: pageSize });
  await page.goto(`${new URL(masterUrl).origin}/healthz`);
  await page.setContent(`<video muted autoplay width="${pageSize.width}"></video>`);
  await page.addScriptTag({ path: hlsPath });
  await page.evaluate(watchScript(masterUrl, config));
  return {
    page,
    async frames() {
      const raw = await page.evaluate<RawFrame[]>('window.frames');
      return raw.map(({ brightness, ...frame }) => ({ ...frame, stamp: readStamp(brightness) }));
    },
    errors: () => page.evaluate<PlayerErrors>('({ fatal, others })'),
  };
}

/** What is expected of the frames of a program. */
export interface Expected {
  readonly program: TestProgram;
  /** The number of its clip; null: its frames have no stamp, as those of a slate or of audio. */
  readonly clip: number | null;
  /** Where the first frame is in the clip; undefined: that is not known, as with an encoder that repeats a clip. */
  readonly offsetSeconds?: number;
  /** Frames so near to its start and end may be of the neighbour; more beside a live program. */
  readonly joinSeconds?: number;
}

/** How well a program was seen. */
export interface SeenProgram {
  readonly title: string;
  readonly frames: number;
  /** Frames of something else. */
  readonly wrong: number;
  /** Seconds that frames are later than programmed, the median. NaN where it is not known. */
  readonly errorSeconds: number;
  readonly sizes: readonly string[];
}

/** The greatest start error with cuts is 0.25 s; and a frame of each program. */
const usualJoinSeconds = 0.35;
/** A live program is played in whole segments of two seconds, and its end is met to one second. */
export const liveJoinSeconds = 1.6;

/** What was seen of each program. */
export function seenPrograms(frames: readonly SeenFrame[], expected: readonly Expected[]): SeenProgram[] {
  return expected.map(({ program, clip, offsetSeconds, joinSeconds = usualJoinSeconds }) => {
    const { startsAt, endsAt, title } = program;
    const inside = frames.filter(({ at }) => at >= startsAt + joinSeconds * 1000 && at <= endsAt - joinSeconds * 1000);
    const errors = inside
      .filter(({ stamp }) => stamp?.clip === clip)
      .map(({ at, stamp }) => (at - startsAt) / 1000 - ((stamp?.seconds ?? Number.NaN) - (offsetSeconds ?? Number.NaN)))
      .toSorted((left, right) => left - right);
    return {
      title,
      frames: inside.length,
      wrong: inside.filter(({ stamp }) => (stamp?.clip ?? null) !== clip).length,
      errorSeconds: errors[Math.floor(errors.length / 2)] ?? Number.NaN,
      sizes: [...new Set(inside.map(({ width, height }) => `${width}x${height}`))],
    };
  });
}

/** One line for each program. */
export function describePrograms(programs: readonly SeenProgram[]): string {
  return programs
    .map(({ title, frames, wrong, errorSeconds, sizes }) => {
      const error = Number.isNaN(errorSeconds) ? '' : `, ${errorSeconds.toFixed(2)} s late`;
      return `      ${title}: ${frames} frames, ${wrong} wrong${error}, ${sizes.join(' ')}`;
    })
    .join('\n');
}

/** Ten are looked at each second; a slate and the image of audio have only two, and a busy machine shows fewer. */
const minFramesPerSecond = 1;

/** Fails where a program was not seen, or not only its frames, or not at its second. */
export function expectPrograms(seen: readonly SeenProgram[], expected: readonly Expected[]): void {
  seen.forEach(({ title, frames, wrong, errorSeconds }, index) => {
    const { program, clip, offsetSeconds, joinSeconds = usualJoinSeconds } = expected[index] as Expected;
    const seconds = (program.endsAt - program.startsAt) / 1000 - 2 * joinSeconds;
    expect(frames, `frames of ${title}`).to.be.at.least(seconds * minFramesPerSecond);
    expect(wrong, `wrong frames in ${title}`).to.equal(0);
    if (clip !== null && offsetSeconds !== undefined)
      expect(Math.abs(errorSeconds), `start error of ${title}`).to.be.at.most(joinSeconds);
  });
}
