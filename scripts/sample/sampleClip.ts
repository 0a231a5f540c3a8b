import { execFile } from 'node:child_process';
import { dirname } from 'node:path';
import { promisify } from 'node:util';
import { drawLandscape, type Scene } from './landscape.js';

const run = promisify(execFile);

/** A video that the demos generate, upload and show. */
export interface SampleClip {
  /** The title identifies the clip for the demos. */
  readonly title: string;
  readonly seconds: number;
  readonly scene: Scene;
}

/** `npm start` publishes the first clip. */
export const sampleClips: readonly [SampleClip, ...SampleClip[]] = [
  {
    title: 'A first video',
    seconds: 24,
    scene: {
      sky: ['#1d3b6f', '#7f7fb5', '#ffc38a'],
      sun: '#ffd9a0',
      hills: ['#7d7fae', '#4a5285', '#141c33'],
      water: ['#f3b98c', '#28406f'],
      startSeconds: 0,
    },
  },
  {
    title: 'Evening light',
    seconds: 40,
    scene: {
      sky: ['#3b1c46', '#b0445a', '#ffb25e'],
      sun: '#ffe0a3',
      hills: ['#8c4b63', '#5a2b4c', '#1d0f22'],
      water: ['#f09a5d', '#3d1f46'],
      startSeconds: 220,
    },
  },
  {
    title: 'Cold water',
    seconds: 30,
    scene: {
      sky: ['#3f6f8f', '#9cc3cf', '#eef3ec'],
      sun: '#fffbe8',
      hills: ['#8fb1bd', '#4f7f8f', '#12303a'],
      water: ['#cfe2df', '#1f5566'],
      startSeconds: 100,
    },
  },
];

const chords = [
  'sin(2*PI*t*(261.63*lt(mod(t,8),4)+220*gte(mod(t,8),4)))',
  'sin(2*PI*t*329.63)',
  'sin(2*PI*t*(392*lt(mod(t,8),4)+440*gte(mod(t,8),4)))',
].join('+');
const audio = `aevalsrc='0.10*(1-0.6*mod(t,1))*(${chords})':s=48000:c=stereo`;

/** Generates 720p video with audio; `DEMO_CLIP_SECONDS` sets another length for all clips. */
export async function makeSampleClip(
  { seconds, scene }: SampleClip,
  { ffmpegPath, path, signal }: { readonly ffmpegPath: string; readonly path: string; readonly signal: AbortSignal },
): Promise<void> {
  const length = Number(process.env['DEMO_CLIP_SECONDS'] ?? seconds);
  const { inputs, filter, inputCount } = await drawLandscape(scene, dirname(path));
  const output = ['-map', '[scene]', '-map', `${inputCount}:a`, '-t', String(length)];
  await run(
    ffmpegPath,
    [
      ...['-v', 'error', '-nostdin', '-y', ...inputs, '-f', 'lavfi', '-i', audio, '-filter_complex', filter, ...output],
      ...['-c:v', 'libx264', '-preset', 'veryfast', '-crf', '20', '-pix_fmt', 'yuv420p'],
      ...['-c:a', 'aac', '-b:a', '128k', '-movflags', '+faststart', '-f', 'mp4', path],
    ],
    { signal },
  );
}
