import { availableParallelism } from 'node:os';
import type { BenchContext, Clip, Process } from '../benchContext.js';
import { runFfmpeg } from '../ffmpeg.js';
import { medianOf, elapsedSeconds, type Figure } from '../figure.js';
import { untilComplete, upload } from '../ingest.js';
import { queuesWithoutTranscoding, startService } from '../service.js';
import { sideBySide } from '../sideBySide.js';

export const workersFigure: Figure = {
  name: 'workers',
  title:
    'Upload accepted to all renditions, a video of 16 chunks, two media workers of one thread each, speed-up over one, against that of two plain encoders',
  target: { atLeast: 0.97 },
  method:
    'A video of 6.4 min in 480p30 is uploaded, with one worker process for all other queues and one or two for the queue `transcoding` alone, ' +
    'each with `MEDIA_THREADS=1`. "Ours" is the speed-up of two workers over one. "Reference" is that of two plain encoders of one thread at the same ' +
    'time over one after the other, measured before and after: two cores of a machine reach less than twice one, and no division of work can exceed it.',
  async measure(bench) {
    const clip = await bench.clips.small();
    const service = await startService(bench);
    await bench.start('workers/main.js', { ...service.environment, WORKER_QUEUES: queuesWithoutTranscoding });
    const startMedia = (): Promise<Process> =>
      bench.start('workers/main.js', { ...service.environment, WORKER_QUEUES: 'transcoding', MEDIA_THREADS: '1' });
    await startMedia();
    const ingest = async (onShare: (share: number) => void) =>
      untilComplete(service, await upload(service, clip), onShare);
    const withTwo = async (onShare: (share: number) => void): Promise<number> => {
      const second = await startMedia();
      try {
        return await ingest(onShare);
      } finally {
        await second.stop();
      }
    };
    const plainBefore = await plainSpeedUp(bench, clip);
    const measured = await sideBySide({
      unit: 's',
      rounds: bench.quick ? 1 : 2,
      ours: withTwo,
      reference: ingest,
      onProgress: bench.onProgress,
    });
    const plain = medianOf([plainBefore, await plainSpeedUp(bench, clip)]);
    const speedUp = 1 / measured.result;
    const seconds = `${measured.ours.toFixed(1)} s with two, ${measured.reference?.toFixed(1)} s with one`;
    const cores = availableParallelism() < 2 ? ['this machine has one core'] : [];
    const note = [measured.note, seconds, ...cores].join(', ');
    return { ours: speedUp, reference: plain, unit: 'times', result: speedUp / plain, note };
  },
};

/** Two encoders at the same time against one, in the same number of frames. */
async function plainSpeedUp(bench: BenchContext, clip: Clip): Promise<number> {
  const folder = await bench.folder();
  const seconds = Math.min(clip.seconds, bench.quick ? 24 : 96);
  const encode = (name: string): Promise<void> =>
    runFfmpeg(bench, folder, [
      ...['-threads', '1', '-t', String(seconds), '-i', clip.path, '-filter_threads', '1', '-an'],
      ...['-c:v', 'libx264', '-preset', 'veryfast', '-threads', '1', '-f', 'mp4', name],
    ]);
  const alone = await elapsedSeconds(() => encode('alone.mp4'));
  const both = await elapsedSeconds(() => Promise.all([encode('first.mp4'), encode('second.mp4')]));
  return (2 * alone) / both;
}
