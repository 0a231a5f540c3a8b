import { execFile } from 'node:child_process';
import { rename } from 'node:fs/promises';
import { promisify } from 'node:util';

const run = promisify(execFile);

const usualSeconds = 24;
const chords = [
  'sin(2*PI*t*(261.63*lt(mod(t,8),4)+220*gte(mod(t,8),4)))',
  'sin(2*PI*t*329.63)',
  'sin(2*PI*t*(392*lt(mod(t,8),4)+440*gte(mod(t,8),4)))',
].join('+');
const audio = `aevalsrc='0.10*(1-0.6*mod(t,1))*(${chords})':s=48000:c=stereo`;

/** Two moving colour gradients; the smaller one is a card with a running clock that moves over the other. */
const images = [
  'gradients=s=320x180:rate=30:c0=0x0b132b:c1=0x1c6e8c:c2=0x6a4c93:c3=0xff8c61:nb_colors=4:speed=0.012:seed=11',
  'gradients=s=240x136:rate=30:c0=0xffd166:c1=0xef476f:c2=0x118ab2:c3=0x06d6a0:nb_colors=4:speed=0.03:seed=4',
  'testsrc2=s=480x270:rate=30',
];
const composition = [
  '[2:v]crop=98:18:2:2,lutyuv=u=128:v=128,scale=294:-2:flags=neighbor[clock]',
  '[0:v]scale=1280:720[back]',
  '[1:v]scale=480:270[small]',
  '[small][clock]overlay=x=(W-w)/2:y=(H-h)/2:shortest=1,drawbox=t=3:color=white@0.9[card]',
  "[back][card]overlay=x='(W-w)/2+(W-w)/2.3*sin(2*PI*t/12)':y='(H-h)/2+(H-h)/2.4*sin(2*PI*t/8)'[v]",
].join(';');

/**
 * Generates 720p video with audio, of 24 s or of `DEMO_CLIP_SECONDS`. The file gets its name when it is complete.
 */
export async function makeSampleClip(ffmpegPath: string, path: string, signal: AbortSignal): Promise<void> {
  const seconds = Number(process.env['DEMO_CLIP_SECONDS'] ?? usualSeconds);
  const unfinished = `${path}.new`;
  const inputs = [...images, audio].flatMap((source) => ['-f', 'lavfi', '-i', source]);
  await run(
    ffmpegPath,
    [
      ...[
        '-v',
        'error',
        '-nostdin',
        '-y',
        ...inputs,
        '-filter_complex',
        composition,
        '-map',
        '[v]',
        '-map',
        `${images.length}:a`,
      ],
      ...['-t', String(seconds), '-c:v', 'libx264', '-preset', 'veryfast', '-crf', '22', '-pix_fmt', 'yuv420p'],
      ...['-c:a', 'aac', '-b:a', '128k', '-movflags', '+faststart', '-f', 'mp4', unfinished],
    ],
    { signal },
  );
  await rename(unfinished, path);
}
