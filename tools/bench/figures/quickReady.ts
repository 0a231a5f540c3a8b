import { rm } from 'node:fs/promises';
import type { BenchContext, Clip } from '../benchContext.js';
import { runFfmpeg } from '../ffmpeg.js';
import { elapsedSeconds, rangeOf, type Figure } from '../figure.js';
import { discard, untilFirstSegment, untilReady, upload } from '../ingest.js';
import { queuesWithoutTranscoding, startService } from '../service.js';
import { sideBySide } from '../sideBySide.js';

export const quickReadyFigure: Figure = {
  name: 'quick-ready',
  title: 'Upload accepted to READY, 60 min of 1080p30 H.264/AAC, against one `ffmpeg -c copy`',
  target: { atMost: 1.5 },
  reason: 'operate.md: the time until an hour of film plays.',
  method:
    'An hour of 1080p30 in H.264 with AAC as MP4 (about 2 GB, keyframes 8 s apart) is uploaded over HTTP, with one worker process for all queues but ' +
    '`transcoding`. From its 201 to the first read with status READY. Reference: one `ffmpeg -c copy` of the same file to HLS in fMP4, with ' +
    'segments of 4 s or more, at keyframes. Ours also reads the index of all packets, creates the thumbnail and the preview, and checks and ' +
    'stores every segment. In parentheses also the time until the owner has received the first segment.',
  async measure(bench) {
    const film = await bench.clips.film();
    const service = await startService(bench);
    // The full generation of an hour would take hours.
    await bench.start('workers/main.js', { ...service.environment, WORKER_QUEUES: queuesWithoutTranscoding });
    const firstSegment: number[] = [];
    const measured = await sideBySide({
      ...{ unit: 's', rounds: bench.quick ? 1 : 3, onProgress: bench.onProgress },
      async ours() {
        const one = await upload(service, film);
        const [first, seconds] = await Promise.all([untilFirstSegment(service, one), untilReady(service, one)]);
        firstSegment.push(first);
        await discard(service, one);
        return seconds;
      },
      reference: () => copyFilm(bench, film),
    });
    return { ...measured, note: `${measured.note}; first segment after ${rangeOf(firstSegment, 2)} s` };
  },
};

async function copyFilm(bench: BenchContext, { path }: Clip): Promise<number> {
  const folder = await bench.folder();
  const segments = '-c copy -f hls -hls_time 4 -hls_playlist_type vod -hls_segment_type fmp4 film.m3u8'.split(' ');
  const seconds = await elapsedSeconds(() => runFfmpeg(bench, folder, ['-i', path, ...segments]));
  await rm(folder, { recursive: true, force: true });
  return seconds;
}
