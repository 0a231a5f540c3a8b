import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { withErrorListener } from '../../shared/platform/errorListener.js';
import type { BenchContext } from './benchContext.js';
import { runFfmpeg } from './ffmpeg.js';
import { medianOf } from './figure.js';
import { cpuSecondsOf } from './processUsage.js';

/** One side of a live comparison. */
export interface LiveUse {
  readonly cpuSeconds: number;
  /** From the last frame of a segment until the segment is listed, the median of all segments. */
  readonly delayMs: number;
}

/** What an encoder publishes: 720p30, a keyframe every two seconds, AAC, as FLV. */
export async function makeLiveClip(bench: BenchContext): Promise<{ path: string; seconds: number }> {
  const clip = await bench.clips.h264();
  const { seconds } = clip;
  const folder = await bench.folder();
  const path = join(folder, 'encoder.flv');
  const grid = '-g 60 -keyint_min 60 -sc_threshold 0 -bf 0';
  const coding = `-t ${seconds} -s 1280x720 -c:v libx264 -preset veryfast -b:v 3500k -maxrate 3500k -bufsize 3500k ${grid} -c:a aac -b:a 160k`;
  await runFfmpeg(bench, folder, ['-i', clip.path, ...coding.split(' '), path]);
  return { path, seconds };
}

/** Sends the clip in real time. Resolves with the time at which it began to arrive. */
export async function publishTo(bench: BenchContext, clip: string, child: ChildProcess): Promise<number> {
  const encoder = withErrorListener(
    spawn(bench.tools.ffmpegPath, [
      ...['-v', 'error', '-nostdin', '-re', '-i', clip, '-c', 'copy', '-flush_packets', '1', '-f', 'flv', 'pipe:1'],
    ]),
  );
  bench.cleanups.add(() => Promise.resolve(void encoder.kill('SIGKILL')));
  if (!child.stdin) throw new Error('the process has no standard input');
  encoder.stdout.pipe(child.stdin);
  await once(encoder.stdout, 'data');
  return Date.now();
}

const heights = [480, 240];
const bits: Readonly<Record<number, string>> = { 480: '1508k', 240: '461k' };

/**
 * One plain ffmpeg that makes the same HLS ladder from the same stream: the top rendition copied, the others encoded with the
 * same preset, quality, bit rates and keyframes, audio in each.
 */
export async function packageByFfmpeg(
  bench: BenchContext,
  clip: string,
  seconds: number,
  preset: string,
): Promise<LiveUse> {
  const folder = await bench.folder();
  // The shell waits for ffmpeg, and so has its processor time after its end.
  const command = ['-v', 'error', '-f', 'flv', '-i', 'pipe:0', ...ladderOptions(preset)];
  const shell = withErrorListener(
    spawn('/bin/sh', ['-c', '"$@"; echo ended; read line <&3', 'sh', bench.tools.ffmpegPath, ...command], {
      cwd: folder,
      stdio: ['pipe', 'pipe', 'inherit', 'pipe'],
    }),
  );
  bench.cleanups.add(() => Promise.resolve(void shell.kill('SIGKILL')));
  const ended = once(shell.stdout as NodeJS.EventEmitter, 'data');
  const arrival = await publishTo(bench, clip, shell);
  const delays = await watchPlaylist(join(folder, '240.m3u8'), arrival, seconds, ended);
  const cpuSeconds = cpuSecondsOf(shell.pid ?? 0);
  shell.kill('SIGKILL');
  return { cpuSeconds, delayMs: medianOf(delays) };
}

function ladderOptions(preset: string): string[] {
  const audio = '-c:a aac -b:a 128k -ar 48000 -ac 2'.split(' ');
  const hls = (name: string): string[] => [
    ...'-f hls -hls_time 2 -hls_list_size 0 -hls_segment_type fmp4 -hls_flags independent_segments'.split(' '),
    ...['-hls_fmp4_init_filename', `${name}-init.mp4`, '-hls_segment_filename', `${name}-%05d.m4s`, `${name}.m3u8`],
  ];
  const outlets = heights.map((height) => `[full${height}]`).join('');
  const scales = heights.map((height) => `[full${height}]scale=-2:${height},format=yuv420p[video${height}]`);
  const encoded = heights.flatMap((height) => [
    ...[
      '-map',
      `[video${height}]`,
      '-map',
      '0:a',
      '-c:v',
      'libx264',
      '-preset',
      preset,
      '-profile:v',
      'high',
      '-crf',
      '23',
    ],
    ...['-maxrate', bits[height] ?? '', '-bufsize', `${2 * Number.parseInt(bits[height] ?? '', 10)}k`],
    ...['-g', '60', '-keyint_min', '60', '-sc_threshold', '0', ...audio, ...hls(String(height))],
  ]);
  const filter = [`[0:v]split=${heights.length}${outlets}`, ...scales].join(';');
  return ['-filter_complex', filter, '-map', '0:v', '-map', '0:a', '-c:v', 'copy', ...audio, ...hls('720'), ...encoded];
}

/** Milliseconds from the end of each segment in the stream until the playlist has it; without the last, which has no next frame. */
async function watchPlaylist(
  path: string,
  arrival: number,
  seconds: number,
  ended: Promise<unknown>,
): Promise<number[]> {
  const delays: number[] = [];
  let isOver = false;
  void ended.then(() => (isOver = true));
  while (!isOver) {
    const playlist = await readFile(path, 'utf8').catch(() => '');
    const durations = [...playlist.matchAll(/#EXTINF:([\d.]+)/g)].map(([, duration]) => Number(duration));
    for (let count = delays.length; count < durations.length; count += 1) {
      const end = durations.slice(0, count + 1).reduce((sum, duration) => sum + duration, 0);
      if (end < seconds - 0.5) delays.push(Date.now() - arrival - end * 1000);
    }
    await sleep(10);
  }
  return delays;
}
