import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { withErrorListener } from '../../shared/platform/errorListener.js';
import { cpuSecondsOf } from '../processUsage.js';
import type { BenchContext } from './benchContext.js';
import { runFfmpeg } from './ffmpeg.js';

/** Encodes the stream that an encoder publishes: 720p30, a keyframe every two seconds, AAC, as FLV. Resolves with its path. */
export async function createLiveClip(bench: BenchContext): Promise<string> {
  const { path: source, seconds } = await bench.clips.h264();
  const folder = await bench.folder();
  const grid = '-g 60 -keyint_min 60 -sc_threshold 0 -bf 0';
  const coding = `-t ${seconds} -s 1280x720 -c:v libx264 -preset veryfast -b:v 3500k -maxrate 3500k -bufsize 3500k ${grid} -c:a aac -b:a 160k`;
  await runFfmpeg(bench, folder, ['-i', source, ...coding.split(' '), 'encoder.flv']);
  return join(folder, 'encoder.flv');
}

/** Starts to send the clip in real time to the standard input of a process. */
export function publishTo(bench: BenchContext, clip: string, child: ChildProcess): void {
  const encoder = withErrorListener(
    spawn(bench.tools.ffmpegPath, [
      ...['-v', 'error', '-nostdin', '-re', '-i', clip, '-c', 'copy', '-flush_packets', '1', '-f', 'flv', 'pipe:1'],
    ]),
  );
  bench.cleanups.add(() => Promise.resolve(void encoder.kill('SIGKILL')));
  if (!child.stdin) throw new Error('the process has no standard input');
  encoder.stdout.pipe(child.stdin);
}

/**
 * Processor seconds of one plain ffmpeg that writes the same HLS ladder from the same stream: the highest rendition copied, the others
 * encoded with the same preset, quality, bit rates and keyframes, audio in each.
 */
export async function packageByFfmpeg(bench: BenchContext, clip: string): Promise<number> {
  const command = ['-v', 'error', '-f', 'flv', '-i', 'pipe:0', ...ladderOptions('superfast')];
  // ffmpeg's processor time counts as its parent's (the shell's) after the shell has waited for it.
  const shell = withErrorListener(
    spawn('/bin/sh', ['-c', '"$@"; echo ended; read line <&3', 'sh', bench.tools.ffmpegPath, ...command], {
      cwd: await bench.folder(),
      stdio: ['pipe', 'pipe', 'inherit', 'pipe'],
    }),
  );
  bench.cleanups.add(() => Promise.resolve(void shell.kill('SIGKILL')));
  const ended = once(shell.stdout as NodeJS.EventEmitter, 'data');
  publishTo(bench, clip, shell);
  await ended;
  const cpuSeconds = cpuSecondsOf(shell.pid ?? 0);
  shell.kill('SIGKILL');
  return cpuSeconds;
}

const encodedRenditions = [
  { height: 480, kilobits: 1508 },
  { height: 240, kilobits: 461 },
];

function ladderOptions(preset: string): string[] {
  const audio = '-c:a aac -b:a 128k -ar 48000 -ac 2'.split(' ');
  const hls = (name: string): string[] => [
    ...'-f hls -hls_time 2 -hls_list_size 0 -hls_segment_type fmp4 -hls_flags independent_segments'.split(' '),
    ...['-hls_fmp4_init_filename', `${name}-init.mp4`, '-hls_segment_filename', `${name}-%05d.m4s`, `${name}.m3u8`],
  ];
  const outlets = encodedRenditions.map(({ height }) => `[full${height}]`).join('');
  const scales = encodedRenditions.map(
    ({ height }) => `[full${height}]scale=-2:${height},format=yuv420p[video${height}]`,
  );
  const encoded = encodedRenditions.flatMap(({ height, kilobits }) => [
    ...['-map', `[video${height}]`, ...`-map 0:a -c:v libx264 -preset ${preset} -profile:v high -crf 23`.split(' ')],
    ...`-maxrate ${kilobits}k -bufsize ${2 * kilobits}k -g 60 -keyint_min 60 -sc_threshold 0`.split(' '),
    ...[...audio, ...hls(String(height))],
  ]);
  const filter = [`[0:v]split=${encodedRenditions.length}${outlets}`, ...scales].join(';');
  return ['-filter_complex', filter, '-map', '0:v', '-map', '0:a', '-c:v', 'copy', ...audio, ...hls('720'), ...encoded];
}
