import { join } from 'node:path';
import type { BenchContext, Clip, Clips } from './benchContext.js';
import { runFfmpeg } from './ffmpeg.js';

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

/** 2 GB in an hour, with the audio. */
const filmBits = '-b:v 4300k -maxrate 6500k -bufsize 8600k'.split(' ');

/** `bench`: of the whole run, so that the files are there for all its figures. */
export function createClips(bench: Omit<BenchContext, 'clips'>): Clips {
  const { quick } = bench;
  const clips: Clips = {
    h264: () => bench.once('clip-h264', () => makeClip(bench, quick ? 12 : 60)),
    hevc: () => bench.once('clip-hevc', async () => encodeAgain(bench, await clips.h264(), 'hevc.mp4', hevcCoding)),
    fitting: () =>
      bench.once('clip-fitting', async () => encodeAgain(bench, await clips.h264(), 'fitting.mp4', fittingCoding)),
    short: () => bench.once('clip-short', () => makeClip(bench, 12)),
    small: () =>
      bench.once('clip-small', async () => {
        const scaled = ['-vf', 'scale=854:480', ...fastCoding];
        const part = await encodeAgain(bench, await clips.h264(), 'small.mp4', [...scaled, '-crf', '20']);
        return repeated(bench, part, quick ? 96 : 384);
      }),
    film: () =>
      bench.once('clip-film', async () => {
        const part = await encodeAgain(bench, await clips.h264(), 'part.mp4', [...fastCoding, ...filmBits]);
        return repeated(bench, part, quick ? 300 : 3600);
      }),
  };
  return clips;
}

const fastCoding = ['-c:v', 'libx264', '-preset', 'veryfast'];
const hevcCoding = ['-c:v', 'libx265', '-preset', 'veryfast', '-crf', '24', '-x265-params', 'log-level=error'];

/** As an encoder for streams: a keyframe every two seconds, and a constant bit rate below that of 1080p. */
const fittingCoding = [
  ...fastCoding,
  ...'-b:v 4500k -maxrate 5000k -bufsize 5000k -g 60 -keyint_min 60 -sc_threshold 0'.split(' '),
];

type ClipMaker = Omit<BenchContext, 'clips'>;

async function makeClip(bench: ClipMaker, seconds: number): Promise<Clip> {
  const folder = await bench.folder();
  const path = join(folder, 'clip.mp4');
  bench.say(`Creating a clip of ${seconds} s ...`);
  const inputs = [...images, audio].flatMap((source) => ['-f', 'lavfi', '-i', source]);
  const outlets = ['-map', '[v]', '-map', `${images.length}:a`];
  const encoding = ['-t', String(seconds), ...fastCoding, ...'-crf 20 -c:a aac -b:a 160k'.split(' ')];
  await runFfmpeg(bench, folder, [...inputs, '-filter_complex', composition, ...outlets, ...encoding, path]);
  return { path, seconds };
}

async function encodeAgain(bench: ClipMaker, clip: Clip, name: string, coding: readonly string[]): Promise<Clip> {
  const folder = await bench.folder();
  const path = join(folder, name);
  bench.say(`Creating ${name} of ${clip.seconds} s ...`);
  await runFfmpeg(bench, folder, ['-i', clip.path, ...coding, '-c:a', 'copy', path]);
  return { path, seconds: clip.seconds };
}

/** A clip again and again, its video without encoding, and its audio without gaps. */
async function repeated(bench: ClipMaker, clip: Clip, seconds: number): Promise<Clip> {
  const folder = await bench.folder();
  const path = join(folder, 'long.mp4');
  bench.say(`Creating a video of ${seconds} s ...`);
  const loops = Math.ceil(seconds / clip.seconds) - 1;
  const looped = ['-stream_loop', String(loops), '-i', clip.path];
  const coding = '-map 0:v -map 1:a -c:v copy -af asetpts=N/SR/TB -c:a aac -aac_coder fast -b:a 128k'.split(' ');
  await runFfmpeg(bench, folder, [...looped, ...looped, ...coding, '-t', String(seconds), path]);
  return { path, seconds };
}
