import { availableParallelism } from 'node:os';
import type { Figure } from '../figure.js';
import { ingest } from '../ingest.js';
import { encodeLadder } from '../ladder.js';
import { startService } from '../service.js';
import { sideBySide } from '../sideBySide.js';
import type { Process } from '../benchContext.js';

const otherQueues = 'ingestion,transcoding-status,payment-verification,daily-programming,search-sync,mail,sweeps';

export const transcode: Figure = {
  name: 'transcode',
  title: 'Upload accepted to READY, 60 s of 1080p30, one media worker, against one raw ffmpeg',
  target: { atMost: 1.15 },
  method:
    'A clip of 60 s (1080p30 with grain and audio, about 6 Mbit/s) is uploaded over HTTP; from its 201 to the first read with status READY, ' +
    'with one worker process for all queues at default settings. Reference: one ffmpeg process that encodes the renditions of the same ' +
    'plan (same sizes, preset, quality, maximum bitrates, keyframes and segments; fMP4 HLS with audio in every rendition), on all cores. ' +
    'Ours also probes, creates the thumbnail and the preview, and checks and stores every segment.',
  async measure(bench) {
    const clip = await bench.clip();
    const service = await startService(bench);
    await bench.start('workers/main.js', service.environment);
    const { plan } = await ingest(service, clip, () => {});
    const preset = service.ctx.config.media.encoderPreset;
    return sideBySide({
      unit: 's',
      rounds: bench.quick ? 1 : 3,
      ours: async (onShare) => (await ingest(service, clip, onShare)).seconds,
      reference: (onShare) => encodeLadder(bench, clip, { plan, preset }, onShare),
      onProgress: bench.onProgress,
    });
  },
};

export const workers: Figure = {
  name: 'workers',
  title: 'The same with two media workers of one thread each, speed-up over one',
  target: { atLeast: 1.7 },
  method:
    'The same upload, with one worker process for all other queues and one or two for the queue `transcoding` alone, each with `MEDIA_THREADS=1`. ' +
    '"Ours" is with two, "reference" with one; measured is the speed-up. Two idle cores are needed.',
  async measure(bench) {
    const clip = await bench.clip();
    const service = await startService(bench);
    await bench.start('workers/main.js', { ...service.environment, WORKER_QUEUES: otherQueues });
    const startMedia = (): Promise<Process> =>
      bench.start('workers/main.js', { ...service.environment, WORKER_QUEUES: 'transcoding', MEDIA_THREADS: '1' });
    await startMedia();
    const withTwo = async (onShare: (share: number) => void): Promise<number> => {
      const second = await startMedia();
      try {
        return (await ingest(service, clip, onShare)).seconds;
      } finally {
        await second.stop();
      }
    };
    const measured = await sideBySide({
      unit: 's',
      rounds: bench.quick ? 1 : 3,
      ours: withTwo,
      reference: async (onShare) => (await ingest(service, clip, onShare)).seconds,
      onProgress: bench.onProgress,
    });
    const cores = availableParallelism();
    const note = [measured.note, ...(cores < 2 ? ['this machine has one core'] : [])].join(', ');
    return { ...measured, result: 1 / measured.result, note };
  },
};
