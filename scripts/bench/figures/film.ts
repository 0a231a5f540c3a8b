import { rm } from 'node:fs/promises';
import type { BenchContext, Clip } from '../benchContext.js';
import { runFfmpeg } from '../ffmpeg.js';
import { medianOf, elapsedSeconds, type Figure, type Measured } from '../figure.js';
import { discard, untilFirstSegment, untilReady, upload } from '../ingest.js';
import { queuesWithoutTranscoding, startService } from '../service.js';
import { sideBySide } from '../sideBySide.js';

interface Rounds {
  readonly ready: Measured;
  /** Of each round, seconds until the first segment was received. */
  readonly firstSegment: readonly number[];
}

const source =
  'An hour of 1080p30 in H.264 with AAC as MP4 (about 2 GB, keyframes 8 s apart) is uploaded over HTTP, with one worker process for all queues but ' +
  '`transcoding`.';
const reference =
  'Reference: one `ffmpeg -c copy` of the same file to HLS in fMP4, with segments of 4 s or more, at keyframes.';

export const quickReadyFigure: Figure = {
  name: 'quick-ready',
  title: 'Upload accepted to READY, 60 min of 1080p30 H.264/AAC, against one `ffmpeg -c copy`',
  target: { atMost: 1.5 },
  method: `${source} From its 201 to the first read with status READY. ${reference} Ours also reads the index of all packets, creates the thumbnail and the preview, and checks and stores every segment.`,
  measure: async (bench) => (await ingestFilm(bench)).ready,
};

export const quickReadyBeyondFigure: Figure = {
  name: 'quick-ready-seconds',
  title: 'The same, beyond 1.2 times the command',
  target: { atMost: 10 },
  targetUnit: 's',
  method: 'In the same uploads: seconds to READY, less 1.2 times those of the command; of the medians.',
  async measure(bench) {
    const { ours, reference: command, unit } = (await ingestFilm(bench)).ready;
    return { ours, reference: command, unit, result: ours - 1.2 * (command ?? Number.NaN) };
  },
};

export const quickFirstSegmentFigure: Figure = {
  name: 'quick-first-segment',
  title: 'Upload accepted to the first segment played by the owner, the same hour',
  target: { atMost: 3 },
  targetUnit: 's',
  method:
    'In the same uploads: from the 201 until `POST /api/box/{boxId}/play`, sent every 50 ms, gives a playlist whose first segment the owner has received.',
  async measure(bench) {
    const { firstSegment } = await ingestFilm(bench);
    const result = medianOf(firstSegment);
    const spread = `${Math.min(...firstSegment).toFixed(2)} to ${Math.max(...firstSegment).toFixed(2)} s`;
    return { unit: 's', ours: result, reference: null, result, note: `${firstSegment.length} rounds, ${spread}` };
  },
};

function ingestFilm(bench: BenchContext): Promise<Rounds> {
  return bench.once('film', () => measure(bench));
}

async function measure(bench: BenchContext): Promise<Rounds> {
  const film = await bench.clips.film();
  const service = await startService(bench);
  // The full generation of an hour would run for an hour.
  await bench.start('workers/main.js', { ...service.environment, WORKER_QUEUES: queuesWithoutTranscoding });
  const firstSegment: number[] = [];
  const ready = await sideBySide({
    unit: 's',
    rounds: bench.quick ? 1 : 3,
    async ours() {
      const one = await upload(service, film);
      const [first, seconds] = await Promise.all([untilFirstSegment(service, one), untilReady(service, one)]);
      firstSegment.push(first);
      await discard(service, one);
      return seconds;
    },
    reference: () => copyFilm(bench, film),
    onProgress: bench.onProgress,
  });
  return { ready, firstSegment };
}

async function copyFilm(bench: BenchContext, { path }: Clip): Promise<number> {
  const folder = await bench.folder();
  const segments = ['-hls_time', '4', '-hls_playlist_type', 'vod', '-hls_segment_type', 'fmp4'];
  try {
    return await elapsedSeconds(() =>
      runFfmpeg(bench, folder, ['-i', path, '-c', 'copy', '-f', 'hls', ...segments, 'film.m3u8']),
    );
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
