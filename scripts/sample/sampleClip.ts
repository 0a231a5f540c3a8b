import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** A video that the demos generate, upload and show. */
export interface SampleClip {
  /** The demos find it by its title. */
  readonly title: string;
  readonly seconds: number;
  /** Colours of the background and of the card that moves over it, and how fast they move. */
  readonly background: string;
  readonly card: string;
}

/** The first is the one that `npm start` publishes. */
export const sampleClips: readonly [SampleClip, ...SampleClip[]] = [
  {
    title: 'A first video',
    seconds: 24,
    background: 'c0=0x0b132b:c1=0x1c6e8c:c2=0x6a4c93:c3=0xff8c61:nb_colors=4:speed=0.012:seed=11',
    card: 'c0=0xffd166:c1=0xef476f:c2=0x118ab2:c3=0x06d6a0:nb_colors=4:speed=0.03:seed=4',
  },
  {
    title: 'Evening light',
    seconds: 40,
    background: 'c0=0x2b0b1e:c1=0x8c3b1c:c2=0xd98e04:c3=0x5c1a33:nb_colors=4:speed=0.008:seed=7',
    card: 'c0=0xfff1c9:c1=0xf7b267:c2=0xf25c54:c3=0xf4845f:nb_colors=4:speed=0.02:seed=9',
  },
  {
    title: 'Cold water',
    seconds: 30,
    background: 'c0=0x012a36:c1=0x29524a:c2=0x94a187:c3=0xc5afa0:nb_colors=4:speed=0.016:seed=3',
    card: 'c0=0xe0fbfc:c1=0x98c1d9:c2=0x3d5a80:c3=0x293241:nb_colors=4:speed=0.04:seed=5',
  },
];

const chords = [
  'sin(2*PI*t*(261.63*lt(mod(t,8),4)+220*gte(mod(t,8),4)))',
  'sin(2*PI*t*329.63)',
  'sin(2*PI*t*(392*lt(mod(t,8),4)+440*gte(mod(t,8),4)))',
].join('+');
const audio = `aevalsrc='0.10*(1-0.6*mod(t,1))*(${chords})':s=48000:c=stereo`;

/** Two moving colour gradients; the smaller one is a card with a running clock that moves over the other. */
const composition = [
  '[2:v]crop=98:18:2:2,lutyuv=u=128:v=128,scale=294:-2:flags=neighbor[clock]',
  '[0:v]scale=1280:720[back]',
  '[1:v]scale=480:270[small]',
  '[small][clock]overlay=x=(W-w)/2:y=(H-h)/2:shortest=1,drawbox=t=3:color=white@0.9[card]',
  "[back][card]overlay=x='(W-w)/2+(W-w)/2.3*sin(2*PI*t/12)':y='(H-h)/2+(H-h)/2.4*sin(2*PI*t/8)'[v]",
].join(';');

/** Generates 720p video with audio; `DEMO_CLIP_SECONDS` sets another length for all clips. */
export async function makeSampleClip(
  { seconds, background, card }: SampleClip,
  { ffmpegPath, path, signal }: { readonly ffmpegPath: string; readonly path: string; readonly signal: AbortSignal },
): Promise<void> {
  const length = Number(process.env['DEMO_CLIP_SECONDS'] ?? seconds);
  const images = [
    `gradients=s=320x180:rate=30:${background}`,
    `gradients=s=240x136:rate=30:${card}`,
    'testsrc2=s=480x270:rate=30',
  ];
  const inputs = [...images, audio].flatMap((source) => ['-f', 'lavfi', '-i', source]);
  const output = ['-map', '[v]', '-map', `${images.length}:a`, '-t', String(length)];
  await run(
    ffmpegPath,
    [
      ...['-v', 'error', '-nostdin', '-y', ...inputs, '-filter_complex', composition, ...output],
      ...['-c:v', 'libx264', '-preset', 'veryfast', '-crf', '22', '-pix_fmt', 'yuv420p'],
      ...['-c:a', 'aac', '-b:a', '128k', '-movflags', '+faststart', '-f', 'mp4', path],
    ],
    { signal },
  );
}
