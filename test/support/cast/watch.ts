import { createRequire } from 'node:module';
import { expect } from 'chai';
import type { Browser, Page } from 'playwright-core';
import type { TestProgram } from './station.js';
import { brightnessInPage, readStamp, type Stamp } from './stampedClip.js';

const hlsPath = createRequire(import.meta.url).resolve('hls.js/dist/hls.min.js');

/** Small, because the CPU draws every frame without a graphics processor. Stamps are read from the frame itself. */
const pageSize = { width: 240, height: 180 };

/** A playlist may repeat slates and contents, but no live segments. */
export const repeatedFiles = /\/(cast|content)\//;

/** A displayed frame. */
export interface SeenFrame {
  /** Its channel time according to the playlist, in milliseconds since 1970. */
  readonly at: number;
  /** When it was displayed. */
  readonly shownAt: number;
  readonly stamp: Stamp | null;
  readonly width: number;
  readonly height: number;
  /** Bytes of audio that had been decoded by then. */
  readonly audioBytes: number;
}

interface RawFrame extends Omit<SeenFrame, 'stamp'> {
  readonly brightness: readonly number[];
}

/** Errors reported by hls.js. */
export interface PlayerErrors {
  readonly fatal: readonly string[];
  /** Recovered errors, such as a stall. */
  readonly others: readonly string[];
}

export interface Watching {
  readonly page: Page;
  /** All frames seen so far, about ten per second. */
  frames(): Promise<SeenFrame[]>;
  errors(): Promise<PlayerErrors>;
}

/** Evaluated in a page: plays a URL with hls.js and records frames. */
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

/** Plays a channel with hls.js in a separate page, without the player page. `config` is that of hls.js. */
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

/** The expected frames of a program. */
export interface Expected {
  readonly program: TestProgram;
  /** The clip number; null: frames without a stamp, such as those of a slate or of audio. */
  readonly clip: number | null;
  /** Position of the first frame in the clip; undefined if unknown, as for an encoder that repeats a clip. */
  readonly offsetSeconds?: number;
  /** Frames this close to the program's ends may belong to its neighbours; more next to a live program. */
  readonly joinSeconds?: number;
}

/** The observed frames of a program. */
export interface SeenProgram {
  readonly title: string;
  readonly frames: number;
  /** Frames of other media. */
  readonly wrong: number;
  /** Median delay of the frames after their programmed time, in seconds. NaN if unknown. */
  readonly errorSeconds: number;
  readonly sizes: readonly string[];
}

/** The maximum start error with cuts is 0.25 s, plus a frame of each program. */
const usualJoinSeconds = 0.35;
/** A live program plays complete segments of two seconds, and its end is exact to one second. */
export const liveJoinSeconds = 1.6;

/** The observed frames by program. */
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

/** One line per program. */
export function describePrograms(programs: readonly SeenProgram[]): string {
  return programs
    .map(({ title, frames, wrong, errorSeconds, sizes }) => {
      const error = Number.isNaN(errorSeconds) ? '' : `, ${errorSeconds.toFixed(2)} s late`;
      return `      ${title}: ${frames} frames, ${wrong} wrong${error}, ${sizes.join(' ')}`;
    })
    .join('\n');
}

/** Ten frames are recorded per second; slates and images of audio have only two, and a busy machine displays fewer. */
const minFramesPerSecond = 1;

/** Fails if a program was not seen, was mixed with other frames, or was out of time. */
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
