import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { withErrorListener } from '../../../shared/platform/errorListener.js';
import { insertOwner } from '../catalogue.js';
import type { BenchContext } from '../benchContext.js';
import { medianOf, NotMeasured, type Figure } from '../figure.js';
import { makeLiveClip, packageByFfmpeg, publishTo, type LiveUse } from '../liveLadder.js';
import type { PackagerReport } from '../reference/livePackager.js';
import { openBenchContext } from '../service.js';

interface Rounds {
  readonly ours: readonly (LiveUse & PackagerReport)[];
  readonly reference: readonly LiveUse[];
}

const sides =
  'An encoder sends 60 s of 720p30 (3.5 Mbit/s, a keyframe every two seconds, AAC) in real time as FLV into a pipe. Ours: a process with ' +
  '`packageRun`, its ffmpeg, PostgreSQL and the disk; 720p copied, 480p and 240p encoded at the default preset. Reference: one plain ' +
  'ffmpeg that writes the same ladder as HLS of 2 s in fMP4, with the same preset, quality, bit rates and keyframes. ';

export const liveProcessorTimeFigure: Figure = {
  name: 'live-cpu',
  title: 'Live packaging of 720p30, processor time, against one raw ffmpeg',
  target: { atMost: 1.1 },
  method: `${sides}Processor time of our process and its ffmpeg from the first byte on, against that of the plain ffmpeg. In parentheses the memory of a stream.`,
  async measure(bench) {
    const { ours, reference } = await compare(bench);
    const ratios = ours.map(({ cpuSeconds }, round) => cpuSeconds / (reference[round]?.cpuSeconds ?? Number.NaN));
    const megabytes = (bytes: readonly number[]): string => `${Math.round(Math.max(...bytes) / 1e6)} MB`;
    const memory = `a stream adds ${megabytes(ours.map(({ nodeBytes }) => nodeBytes))} to the process, and an ffmpeg of ${megabytes(ours.map(({ encoderBytes }) => encoderBytes))}`;
    return {
      unit: 's',
      ours: medianOf(ours.map(({ cpuSeconds }) => cpuSeconds)),
      reference: medianOf(reference.map(({ cpuSeconds }) => cpuSeconds)),
      result: medianOf(ratios),
      note: `${ratios.length} rounds, ${Math.min(...ratios).toFixed(2)} to ${Math.max(...ratios).toFixed(2)}; ${memory}`,
    };
  },
};

export const liveDelayFigure: Figure = {
  name: 'live-delay',
  title: 'From the last frame of a live segment to the listed segment, beyond one raw ffmpeg',
  target: { atMost: 500 },
  targetUnit: 'ms',
  method: `${sides}From the time at which the last frame of a segment is sent until its row, or the plain playlist, has the segment; the median of all segments of a round. Measured is the median of the differences.`,
  async measure(bench) {
    const { ours, reference } = await compare(bench);
    const more = ours.map(({ delayMs }, round) => delayMs - (reference[round]?.delayMs ?? Number.NaN));
    return {
      unit: 'ms',
      ours: medianOf(ours.map(({ delayMs }) => delayMs)),
      reference: medianOf(reference.map(({ delayMs }) => delayMs)),
      result: medianOf(more),
      note: `${more.length} rounds, ${Math.round(Math.min(...more))} to ${Math.round(Math.max(...more))} ms`,
    };
  },
};

/** Both figures use the same rounds. */
function compare(bench: BenchContext): Promise<Rounds> {
  return bench.once('live-packaging', () => measure(bench));
}

async function measure(bench: BenchContext): Promise<Rounds> {
  if (process.platform !== 'linux') throw new NotMeasured('processor time of children is known on Linux only');
  const clip = await makeLiveClip(bench);
  const rounds = bench.quick ? 1 : 3;
  const ours: Rounds['ours'][number][] = [];
  const reference: LiveUse[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const plain = () => packageByFfmpeg(bench, clip.path, clip.seconds, 'superfast');
    if (round % 2 === 1) reference.push(await plain());
    ours.push(await packageByUs(bench, clip.path, clip.seconds));
    if (round % 2 === 0) reference.push(await plain());
    bench.onProgress(((round + 1) / rounds) * 100);
  }
  return { ours, reference };
}

async function packageByUs(bench: BenchContext, clip: string, seconds: number): Promise<LiveUse & PackagerReport> {
  const environment = await bench.settings();
  const ctx = await openBenchContext(bench, environment);
  const env = { ...environment, OWNER_ID: await insertOwner(ctx), LOG_LEVEL: 'error' };
  const entry = fileURLToPath(new URL('../reference/livePackager.js', import.meta.url));
  const child = withErrorListener(fork(entry, { env, stdio: ['pipe', 'inherit', 'inherit', 'ipc'] }));
  bench.cleanups.add(() => Promise.resolve(void child.kill('SIGKILL')));
  await once(child, 'message');
  const arrival = await publishTo(bench, clip, child);
  const [report] = (await once(child, 'message')) as [PackagerReport];
  const rows = await ctx.db.rows<{ storedAt: Date; durationMicroseconds: number }>(
    'SELECT stored_at, duration_microseconds FROM live_segments WHERE run_id = $runId ORDER BY sequence',
    { runId: report.runId },
  );
  let end = 0;
  const delays = rows.flatMap(({ storedAt, durationMicroseconds }) => {
    end += durationMicroseconds / 1e6;
    return end < seconds - 0.5 ? [storedAt.getTime() - arrival - end * 1000] : [];
  });
  return { ...report, delayMs: medianOf(delays) };
}
