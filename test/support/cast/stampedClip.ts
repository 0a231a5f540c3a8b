import { makeClip } from '../media.js';

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
export const brightnessInPage = `((video) => {
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
export function readStamp(brightness: readonly number[]): Stamp | null {
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
