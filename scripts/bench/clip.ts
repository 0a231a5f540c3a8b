import { join } from 'node:path';
import { runFfmpeg } from './ffmpeg.js';
import type { BenchContext, Clip } from './benchContext.js';

/** A slowly moving gradient, a detailed card that moves over it, small moving detail, and grain over everything. */
const images = [
  'gradients=s=1920x1080:rate=30:c0=0x0b132b:c1=0x1c6e8c:c2=0x6a4c93:c3=0xff8c61:nb_colors=4:speed=0.02:seed=11',
  'testsrc2=s=960x540:rate=30',
  'life=s=480x270:rate=30:mold=10:ratio=0.1:death_color=#2a3a4a:life_color=#ffe0a0:seed=3',
];
const composition = [
  "[0:v][1:v]overlay=x='(W-w)/2+(W-w)/2.2*sin(t/2)':y='(H-h)/2+(H-h)/2.4*sin(t/1.3)'[card]",
  '[card][2:v]overlay=x=60:y=H-h-60[detail]',
  '[detail]noise=alls=4:allf=t,format=yuv420p[v]',
].join(';');
/** A tone of varying pitch, with noise. */
const audio = "aevalsrc='0.2*sin(2*PI*t*(300+20*sin(t)))+0.05*random(0)':s=48000:c=stereo";

/** Generates the source of the transcoding figures: 1080p30 with audio, about 6 Mbit/s, as hard to encode as real video. */
export async function makeClip(bench: BenchContext): Promise<Clip> {
  const seconds = bench.quick ? 12 : 60;
  const folder = await bench.folder();
  const path = join(folder, 'clip.mp4');
  bench.say(`Creating a clip of ${seconds} s ...`);
  const inputs = [...images, audio].flatMap((source) => ['-f', 'lavfi', '-i', source]);
  const outlets = ['-map', '[v]', '-map', `${images.length}:a`];
  const encoding = `-t ${seconds} -c:v libx264 -preset veryfast -crf 20 -c:a aac -b:a 160k`.split(' ');
  await runFfmpeg(bench, folder, [...inputs, '-filter_complex', composition, ...outlets, ...encoding, path]);
  return { path, seconds };
}
