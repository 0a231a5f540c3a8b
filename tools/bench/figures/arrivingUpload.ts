import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Content } from '../../../shared/content/content.model.js';
import { freePort } from '../../../scripts/embedded/freePort.js';
import { residentBytesOf, watchMemory } from '../../processUsage.js';
import type { BenchContext, Clip } from '../benchContext.js';
import { runFfmpeg } from '../ffmpeg.js';
import { elapsedSeconds, medianOf, NotMeasured, rangeOf, type Figure } from '../figure.js';
import { sendFile } from '../fileRequest.js';
import { discard, receiveFirstSegment, untilReady, upload, type Upload } from '../ingest.js';
import { queuesWithoutTranscoding, startService, type Service } from '../service.js';
import { sideBySide } from '../sideBySide.js';

type ClipFile = Pick<Clip, 'path' | 'bytes'>;

const megabyte = 1e6;

export const uploadRateFigure: Figure = {
  name: 'upload',
  title:
    'A tus upload of an hour of 1080p30 (about 2 GB), against a bare Node server that writes the same body to the same disk',
  target: { atLeast: 0.8 },
  reason: 'An upload runs at the speed of the disk, and its memory does not grow with the file (README.md).',
  method:
    'Bytes a second, from the creation to the response of the only `PATCH` at the built web process; the file, its row, its item and its quota are ' +
    'stored then. Reference: an `http` server whose handler pipes the body into a file and flushes it. No worker runs. Client and ' +
    'server are on the same machine. In parentheses the largest increase of resident memory of the web process, read every 100 ms.',
  async measure(bench) {
    if (process.platform !== 'linux') throw new NotMeasured('memory of processes is known on Linux only');
    const film = await bench.clips.film();
    const service = await startService(bench);
    const url = await startBodyWriter(bench);
    const before = residentBytesOf(service.pid);
    const memory = watchMemory(service.pid);
    const measured = await sideBySide({
      ...{ unit: 'MB/s', warmUps: bench.quick ? 0 : 1, rounds: bench.quick ? 1 : 3, onProgress: bench.onProgress },
      ours: () => itemRate(service, film),
      reference: () =>
        rateOf(film, () => sendFile({ url, method: 'POST', headers: {}, path: film.path, bytes: film.bytes })),
    });
    const increase = Math.round((memory.stop() - before) / megabyte);
    return { ...measured, note: `${measured.note}; memory ${increase} MB` };
  },
};

export const arrivingSegmentFigure: Figure = {
  name: 'arriving-segment',
  title: 'An hour of 1080p30 sent at 60 MB/s: what had arrived when its owner received the first segment',
  target: { atMost: 0.1 },
  reason: 'README.md: a film plays while it arrives.',
  method:
    'By tus, with one worker process for all queues but `transcoding`. `POST /api/progressbar/{progressId}/play` is sent every 50 ms, until it gives a playlist whose first segment the owner has received. The share of the bytes that had been sent then.',
  async measure(bench) {
    const { shares } = await arrive(bench);
    const result = medianOf(shares);
    return { unit: '', ours: result, reference: null, result, note: `${shares.length} rounds` };
  },
};

export const arrivingReadyFigure: Figure = {
  name: 'arriving-ready',
  title: 'The same: from the response to the last byte to READY',
  target: { atMost: 2 },
  targetUnit: 's',
  reason: 'README.md: a film is complete when its last byte arrives.',
  method: 'In the same uploads: from the response to the last `PATCH` to the first read with status READY.',
  async measure(bench) {
    const { seconds } = await arrive(bench);
    const result = medianOf(seconds);
    const note = `${seconds.length} rounds, ${rangeOf(seconds, 2)} s`;
    return { unit: 's', ours: result, reference: null, result, note };
  },
};

async function rateOf({ bytes }: ClipFile, send: () => Promise<unknown>): Promise<number> {
  return bytes / megabyte / (await elapsedSeconds(send));
}

/** The rate of an upload that becomes an item. Removes the file afterwards, because no worker runs. */
async function itemRate(service: Service, film: ClipFile): Promise<number> {
  let one: Upload | undefined;
  const rate = await rateOf(film, async () => (one = await upload(service, film)));
  const { ctx } = service;
  const content = one && (await ctx.db.model(Content).findByPk(one.contentId, { attributes: ['sourceKey'] }));
  if (content) await ctx.storage.remove([content.sourceKey]);
  return rate;
}

async function startBodyWriter(bench: BenchContext): Promise<string> {
  const port = await freePort();
  const settings = { PORT: String(port), FOLDER: await bench.folder() };
  await bench.start('tools/bench/reference/bodyWriter.js', { ...(await bench.settings()), ...settings });
  return `http://127.0.0.1:${port}/`;
}

/** Moves the film's index to the beginning. */
async function fastStartFilm(bench: BenchContext): Promise<ClipFile> {
  const { path } = await bench.clips.film();
  const folder = await bench.folder();
  await runFfmpeg(bench, folder, ['-i', path, '-c', 'copy', '-movflags', '+faststart', 'film.mp4']);
  const fastStart = join(folder, 'film.mp4');
  return { path: fastStart, bytes: (await stat(fastStart)).size };
}

interface Arrival {
  /** Per round: the share of the bytes that had been sent when the first segment was received. */
  readonly shares: readonly number[];
  /** Per round: seconds from the response to the last byte to READY. */
  readonly seconds: readonly number[];
}

function arrive(bench: BenchContext): Promise<Arrival> {
  return bench.once('arriving', async () => {
    const film = await fastStartFilm(bench);
    const service = await startService(bench);
    await bench.start('workers/main.js', { ...service.environment, WORKER_QUEUES: queuesWithoutTranscoding });
    const shares: number[] = [];
    const seconds: number[] = [];
    for (let round = 0; round < (bench.quick ? 1 : 3); round += 1) {
      const progressId = `round-${round}`;
      let sent = 0;
      const sending = {
        bytesPerSecond: (bench.quick ? 6 : 60) * megabyte,
        onSent: (bytes: number) => void (sent = bytes),
      };
      const ended = new AbortController();
      const uploaded = upload(service, film, { sending, progressId }).finally(() => ended.abort());
      await untilPlaying(service, progressId, ended.signal);
      shares.push(sent / film.bytes);
      const one = await uploaded;
      seconds.push(await untilReady(service, one));
      await discard(service, one);
    }
    return { shares, seconds };
  });
}

async function untilPlaying({ video }: Service, progressId: string, ended: AbortSignal): Promise<void> {
  for (; !ended.aborted; await sleep(50)) {
    const { data } = await video.api.POST('/api/progressbar/{progressId}/play', { params: { path: { progressId } } });
    if (data?.streamer && (await receiveFirstSegment(data.streamer))) return;
  }
  throw new Error('the upload has ended before its beginning could be played');
}
