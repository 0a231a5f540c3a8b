import { createRequire } from 'node:module';
import { expect } from 'chai';
import type { Browser, Page } from 'playwright-core';
import type { TestProgram } from '../support/cast/station.js';
import { makeClip } from '../support/media.js';

const hlsPath = createRequire(import.meta.url).resolve('hls.js/dist/hls.min.js');

/** Small, because the CPU draws every frame without a graphics processor. Stamps are read from the frame itself. */
const pageSize = { width: 240, height: 180 };

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

/*
 * Clips whose frames encode their clip number and time: squares of black and white in two rows along their upper
 * edge, one per bit. The squares scale with the frame, so that they are readable in every rendition.
 */

const columns = 10;
const rows = 2;
const squares = columns * rows;
/** The first four bits of every stamp, with which no other frame begins. */
const marker = 0b1010;
/** The unit of a stamp's time, in seconds. */
const tickSeconds = 0.04;
const tickBits = 12;
/** Height of a square as a share of the frame's height. */
const stampHeight = 1 / 6;

/** The content of a stamp: clip number and time in the clip. */
export interface Stamp {
  /** 0 to 15 */
  readonly clip: number;
  readonly seconds: number;
}

export interface StampedClip {
  readonly clip: number;
  readonly seconds: number;
  /** `640x360` by default. */
  readonly size?: string;
  /** Frames per second, `25` by default. */
  readonly rate?: string;
  /** `null`: no audio; otherwise ffmpeg's source of it. Default: stereo at 48 kHz. */
  readonly audio?: string | null;
  /** Codecs of video and audio; default: H.264 and AAC. */
  readonly coding?: readonly string[];
}

const defaultCoding = ['-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p', '-c:a', 'aac'];

/** Generates such a clip, once per machine. */
export function makeStampedClip(options: StampedClip): Promise<string> {
  const { clip, seconds, size = '640x360', rate = '25', coding = defaultCoding } = options;
  const { audio = `aevalsrc='sin(2*PI*${300 + 50 * clip}*t)|sin(2*PI*${350 + 50 * clip}*t)':s=48000` } = options;
  const [width = 0, height = 0] = size.split('x').map(Number);
  const stampLines = 2 * Math.round((height * stampHeight) / 2);
  const code = `${marker * 2 ** (squares - 4) + clip * 2 ** tickBits}+mod(floor(T/${tickSeconds}+0.01),${2 ** tickBits})`;
  const bit = `${squares - 1}-(Y*${columns}+X)`;
  const picture = [
    '[0:v]split[back][corner]',
    `[corner]crop=${columns}:${rows}:0:0,format=gray,geq=lum='255*mod(floor((${code})/pow(2,${bit})),2)',` +
      `scale=${width}:${stampLines}:flags=neighbor,format=yuv420p[stamp]`,
    '[back][stamp]overlay=0:0,format=yuv420p[video]',
  ].join(';');
  return makeClip('mp4', [
    ...['-f', 'lavfi', '-i', `testsrc2=s=${size}:r=${rate}:d=${seconds}`],
    ...(audio === null ? [] : ['-f', 'lavfi', '-i', `${audio}:d=${seconds}`, '-map', '1:a']),
    ...['-filter_complex', picture, '-map', '[video]', ...coding],
  ]);
}

/** Brightness of a square, 0 to 255: values between these limits are neither black nor white. */
const [darkest, brightest] = [96, 160];

/** The stamp of a frame by the brightness of its squares, or null if it has none. */
function stampOf(brightness: readonly number[]): Stamp | null {
  if (brightness.some((value) => value > darkest && value < brightest)) return null;
  const code = brightness.reduce((sum, value) => sum * 2 + (value >= brightest ? 1 : 0), 0);
  if (code >>> (squares - 4) !== marker) return null;
  return { clip: (code >>> tickBits) % 16, seconds: (code % 2 ** tickBits) * tickSeconds };
}

/**
 * Evaluated in a page: a function of a `video` element that returns the brightness of the squares of its current frame, for
 * `readStamp`.
 */
const brightnessInPage = `((video) => {
  const canvas = window.stampCanvas ??=
    Object.assign(document.createElement('canvas'), { width: ${columns * 8}, height: ${rows * 8} });
  const context = canvas.getContext('2d', { willReadFrequently: true });
  const { videoWidth, videoHeight } = video;
  const lines = 2 * Math.round((videoHeight * ${stampHeight}) / 2);
  context.drawImage(video, 0, 0, videoWidth, lines, 0, 0, canvas.width, canvas.height);
  const { data } = context.getImageData(0, 0, canvas.width, canvas.height);
  return Array.from({ length: ${squares} }, (_, square) =>
    data[((Math.floor(square / ${columns}) * 8 + 4) * canvas.width + (square % ${columns}) * 8 + 4) * 4]);
})`;

/** The stamp of a frame observed in a page. */
function readStamp(brightness: readonly number[]): Stamp | null {
  return brightness.length === squares ? stampOf(brightness) : null;
}

/** The ffmpeg filter that reduces a frame to one byte of brightness per square, for `readStamps`. */
export const brightnessFilter = `crop=iw:ih*${stampHeight}:0:0,scale=${columns}:${rows}:flags=area,format=gray`;

/** The stamps of all frames in the output of this filter (`-f rawvideo`, as latin1). */
export function readStamps(raw: string): (Stamp | null)[] {
  const values = Array.from(raw, (byte) => byte.charCodeAt(0));
  const starts = Array.from({ length: Math.floor(values.length / squares) }, (_, frame) => frame * squares);
  return starts.map((start) => stampOf(values.slice(start, start + squares)));
}
