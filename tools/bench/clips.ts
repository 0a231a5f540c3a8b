import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { BenchContext, Clip, Clips } from './benchContext.js';
import { runFfmpeg } from './ffmpeg.js';

/** A slowly moving gradient, a detailed card that moves over it, small moving details, and grain. */
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
const fastCoding = '-c:v libx264 -preset veryfast';
/** Bit rate of 2 GB per hour, including the audio. */
const filmBits = '-b:v 4300k -maxrate 6500k -bufsize 8600k';

type RunContext = Omit<BenchContext, 'clips'>;

/** `bench` is the context of the whole run: the files exist until its end, for all figures. */
export function createClips(bench: RunContext): Clips {
  const { quick } = bench;
  const clips: Clips = {
    h264: () => bench.once('clip-h264', () => createClip(bench, quick ? 12 : 60)),
    short: () => bench.once('clip-short', () => createClip(bench, 12)),
    film: () => bench.once('clip-film', async () => createFilm(bench, await clips.h264(), quick ? 300 : 3600)),
  };
  return clips;
}

async function createClip(bench: RunContext, seconds: number): Promise<Clip> {
  const folder = await bench.folder();
  bench.say(`Creating a clip of ${seconds} s ...`);
  const inputs = [...images, audio].flatMap((source) => ['-f', 'lavfi', '-i', source]);
  const outlets = ['-map', '[v]', '-map', `${images.length}:a`];
  const coding = `-t ${seconds} ${fastCoding} -crf 20 -c:a aac -b:a 160k clip.mp4`.split(' ');
  await runFfmpeg(bench, folder, [...inputs, '-filter_complex', composition, ...outlets, ...coding]);
  return clipAt(join(folder, 'clip.mp4'), seconds);
}

/** A repeated clip: its video is encoded once, and its audio has no gaps. */
async function createFilm(bench: RunContext, clip: Clip, seconds: number): Promise<Clip> {
  const folder = await bench.folder();
  bench.say(`Creating a video of ${seconds} s ...`);
  const part = `${fastCoding} ${filmBits} -c:a copy part.mp4`.split(' ');
  await runFfmpeg(bench, folder, ['-i', clip.path, ...part]);
  const looped = `-stream_loop ${Math.ceil(seconds / clip.seconds) - 1} -i part.mp4`.split(' ');
  const coding = '-map 0:v -map 1:a -c:v copy -af asetpts=N/SR/TB -c:a aac -aac_coder fast -b:a 128k'.split(' ');
  await runFfmpeg(bench, folder, [...looped, ...looped, ...coding, '-t', String(seconds), 'film.mp4']);
  return clipAt(join(folder, 'film.mp4'), seconds);
}

async function clipAt(path: string, seconds: number): Promise<Clip> {
  return { path, seconds, bytes: (await stat(path)).size };
}
