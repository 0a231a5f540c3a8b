import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Content } from '../../../shared/content/content.model.js';
import { freePort } from '../../embedded/freePort.js';
import type { BenchContext, Clip } from '../benchContext.js';
import { runFfmpeg } from '../ffmpeg.js';
import { elapsedSeconds, medianOf, NotMeasured, type Figure } from '../figure.js';
import { discard, receiveFirstSegment, untilReady, type Upload } from '../ingest.js';
import { residentBytesOf, watchMemory } from '../processUsage.js';
import { sendFile, type FileResponse, type FileBody } from '../sendFile.js';
import { queuesWithoutTranscoding, startService, type Service } from '../service.js';
import { sideBySide } from '../sideBySide.js';

const megabyte = 1e6;
const uploadsAtOnce = 20;
const boundary = 'bench-boundary';

type Sending = Pick<FileBody, 'bytesPerSecond' | 'onSent'>;

export const formUploadFigure: Figure = {
  name: 'upload-form',
  title:
    'An hour of 1080p30 (about 2 GB) as a form, against a bare Node server that writes the same body to the same disk',
  target: { atLeast: 0.8 },
  method:
    'Bytes a second, from the first byte to the response. Ours: `POST /api/box` at the built web process; the file, its row, its item and its quota are stored then. Reference: an `http` server whose handler pipes the body into a file and flushes it. No worker runs. Client and server are on the same machine.',
  measure: async (bench) => {
    const film = await filmOf(bench);
    const service = await startService(bench);
    const url = await startReference(bench);
    return sideBySide({
      ...roundsOf(bench),
      ours: () => itemRate(service, film, sendForm),
      reference: () => rateOf(film, () => sendFile({ url, method: 'POST', headers: {}, ...film })),
    });
  },
};

export const tusUploadFigure: Figure = {
  name: 'upload-tus',
  title: 'The same by tus, in one request, against the form',
  target: { atLeast: 0.8 },
  method:
    'Bytes a second, from the creation to the response of the only `PATCH`, against those of the form, at the same web process.',
  measure: async (bench) => {
    const film = await filmOf(bench);
    const service = await startService(bench);
    return sideBySide({
      ...roundsOf(bench),
      ours: () => itemRate(service, film, sendTus),
      reference: () => itemRate(service, film, sendForm),
    });
  },
};

export const slowStoreUploadFigure: Figure = {
  name: 'upload-s3',
  title: 'The same by tus into an object store that takes 50 ms for each request',
  target: { atLeast: 100 },
  targetUnit: 'MB/s',
  method:
    'Bytes a second, from the creation to the response of the only `PATCH`. The store is a Node server that reads what it gets, answers 50 ms later, and keeps nothing. In parentheses the memory that the web process takes more.',
  measure: async (bench) => {
    const film = await filmOf(bench);
    const service = await startSlowStore(bench);
    const before = residentBytesOf(service.pid);
    const memory = watchMemory({ web: service.pid });
    const rates: number[] = [];
    for (let round = 0; round < (bench.quick ? 1 : 3); round += 1)
      rates.push(await rateOf(film, () => sendTus(service, film)));
    memory.stop();
    const note = `${rates.length} rounds, ${Math.round((memory.most('web') - before) / megabyte)} MB`;
    return { unit: 'MB/s', ours: medianOf(rates), reference: null, result: medianOf(rates), note };
  },
};

export const manyUploadsFigure: Figure = {
  name: 'upload-memory',
  title: `Memory that the web process takes more for ${uploadsAtOnce} uploads at once`,
  target: { atMost: 200 },
  targetUnit: 'MB',
  method: `${uploadsAtOnce} uploads by tus at the same time, 200 MB each, to the disk; in parentheses the same to an object store that takes 50 ms for each request. The most of the resident memory, read every 100 ms, less that before.`,
  async measure(bench) {
    const film = await filmOf(bench);
    const part = { ...film, bytes: Math.min(film.bytes, 200 * megabyte) };
    const moreOf = async (service: Service): Promise<number> => {
      const before = residentBytesOf(service.pid);
      const memory = watchMemory({ web: service.pid });
      await Promise.all(Array.from({ length: uploadsAtOnce }, () => sendTus(service, part)));
      memory.stop();
      return (memory.most('web') - before) / megabyte;
    };
    const onDisk = await moreOf(await startService(bench));
    const onStore = await moreOf(await startSlowStore(bench));
    const note = `object store ${Math.round(onStore)} MB`;
    return { unit: 'MB', ours: onDisk, reference: null, result: onDisk, note };
  },
};

export const arrivingSegmentFigure: Figure = {
  name: 'arriving-segment',
  title: 'An hour of 1080p30 sent at 60 MB/s: what had arrived when its owner received the first segment',
  target: { atMost: 0.1 },
  method:
    'By tus, with one worker process for all queues but `transcoding`. `POST /api/progressbar/{progressId}/play` is sent every 50 ms, until it gives a playlist whose first segment the owner has received. The share of the bytes that had been sent then.',
  measure: async (bench) => {
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
  method: 'In the same uploads: from the response to the last `PATCH` to the first read with status READY.',
  measure: async (bench) => {
    const { seconds } = await arrive(bench);
    const spread = `${Math.min(...seconds).toFixed(2)} to ${Math.max(...seconds).toFixed(2)} s`;
    const result = medianOf(seconds);
    return { unit: 's', ours: result, reference: null, result, note: `${seconds.length} rounds, ${spread}` };
  },
};

export const firstByteToReadyFigure: Figure = {
  name: 'arriving-whole',
  title: 'The same at full speed, from its first byte to READY, against a service that does not process it meanwhile',
  target: { atMost: 1 },
  method:
    'Seconds from the first byte of the form to the first read with status READY. Reference: the same service with a worker process that does not serve the queue `arrivals`.',
  measure: async (bench) => {
    const film = await fastStartFilm(bench);
    const [following, waiting] = await Promise.all([startService(bench), startService(bench)]);
    await bench.start('workers/main.js', { ...following.environment, WORKER_QUEUES: queuesWithoutTranscoding });
    await bench.start('scripts/bench/reference/waitingWorker.js', waiting.environment);
    const secondsOf = async (service: Service): Promise<number> => {
      let one: Upload | undefined;
      const seconds = await elapsedSeconds(async () => {
        one = await sendForm(service, film);
        await untilReady(service, one);
      });
      if (one) await discard(service, one);
      return seconds;
    };
    return sideBySide({
      ...roundsOf(bench),
      unit: 's',
      ours: () => secondsOf(following),
      reference: () => secondsOf(waiting),
    });
  },
};

interface FilmFile {
  readonly path: string;
  readonly bytes: number;
}

async function filmOf(bench: BenchContext): Promise<FilmFile> {
  if (process.platform !== 'linux') throw new NotMeasured('memory of processes is known on Linux only');
  const { path }: Clip = await bench.clips.film();
  const { size } = await stat(path);
  return { path, bytes: size };
}

/** The same with its index at the beginning. Made for each figure. */
async function fastStartFilm(bench: BenchContext): Promise<FilmFile> {
  const { path } = await filmOf(bench);
  const folder = await bench.folder();
  await runFfmpeg(bench, folder, ['-i', path, '-c', 'copy', '-movflags', '+faststart', 'film.mp4']);
  const fastStart = join(folder, 'film.mp4');
  return { path: fastStart, bytes: (await stat(fastStart)).size };
}

function roundsOf(bench: BenchContext) {
  return { unit: 'MB/s', warmUps: bench.quick ? 0 : 1, rounds: bench.quick ? 1 : 3, onProgress: bench.onProgress };
}

async function rateOf({ bytes }: FilmFile, send: () => Promise<unknown>): Promise<number> {
  return bytes / megabyte / (await elapsedSeconds(send));
}

/** The rate of an upload that becomes an item, whose file is then removed: no worker would do so. */
async function itemRate(
  service: Service,
  film: FilmFile,
  send: (service: Service, film: FilmFile) => Promise<Upload>,
): Promise<number> {
  let one: Upload | undefined;
  const rate = await rateOf(film, async () => (one = await send(service, film)));
  if (one) await removeItem(service, one);
  return rate;
}

async function startReference(bench: BenchContext): Promise<string> {
  const port = await freePort();
  const settings = { PORT: String(port), FOLDER: await bench.folder() };
  await bench.start('scripts/bench/reference/bodyWriter.js', { ...(await bench.settings()), ...settings });
  return `http://127.0.0.1:${port}/`;
}

async function startSlowStore(bench: BenchContext): Promise<Service> {
  const port = await freePort();
  const settings = { PORT: String(port), DELAY_MS: '50' };
  await bench.start('scripts/bench/reference/slowStore.js', { ...(await bench.settings()), ...settings });
  const access = { S3_ACCESS_KEY_ID: 'bench', S3_SECRET_ACCESS_KEY: 'bench' };
  const bucket = { S3_BUCKET: 'media', S3_ENDPOINT: `http://127.0.0.1:${port}`, S3_FORCE_PATH_STYLE: 'true' };
  return startService(bench, { ...access, ...bucket });
}

async function sendForm(service: Service, film: FilmFile): Promise<Upload> {
  const part = (name: string, more = ''): string =>
    `--${boundary}\r\nContent-Disposition: form-data; name="${name}"${more}\r\n\r\n`;
  const response = await sendFile({
    url: `${service.url}/api/box`,
    method: 'POST',
    headers: { ...authorization(service), 'Content-Type': `multipart/form-data; boundary=${boundary}` },
    before: `${part('title')}A film\r\n${part('file', '; filename="film.mp4"')}`,
    after: `\r\n--${boundary}--\r\n`,
    ...film,
  });
  return acceptedItem(service, (JSON.parse(response.text) as { boxId: string }).boxId);
}

async function sendTus(service: Service, film: FilmFile, sending: Sending = {}, progressId = ''): Promise<Upload> {
  const tus = { ...authorization(service), 'Tus-Resumable': '1.0.0' };
  const created = await fetch(`${service.url}/api/box/tus`, {
    method: 'POST',
    headers: {
      ...tus,
      'Upload-Length': String(film.bytes),
      'Upload-Metadata': `title ${Buffer.from('A film').toString('base64')}`,
      ...(progressId ? { 'X-Service-progressbarId': progressId } : {}),
    },
  });
  const response: FileResponse = await sendFile({
    url: new URL(created.headers.get('Location') ?? '', service.url).href,
    method: 'PATCH',
    headers: { ...tus, 'Upload-Offset': '0', 'Content-Type': 'application/offset+octet-stream' },
    ...film,
    ...sending,
  });
  return acceptedItem(service, String(response.headers['box-id']));
}

function authorization({ user }: Service): Record<string, string> {
  return { Authorization: `Bearer ${user.token}` };
}

/** A box item whose upload was answered now. */
async function acceptedItem({ client, user }: Service, boxId: string): Promise<Upload> {
  const accepted = performance.now();
  const { resourceId } = await client.get<{ resourceId: string }>(`/api/box/${boxId}`, user.token);
  return { boxId, contentId: resourceId, seconds: () => (performance.now() - accepted) / 1000 };
}

async function removeItem({ ctx }: Service, { contentId }: Upload): Promise<void> {
  const content = await ctx.db.model(Content).findByPk(contentId, { attributes: ['sourceKey'] });
  if (content) await ctx.storage.remove([content.sourceKey]);
}

interface Arrival {
  /** Of each round: what had been sent when the first segment was received, of all bytes. */
  readonly shares: readonly number[];
  /** Of each round, from the response to the last byte to READY. */
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
      const sending = { bytesPerSecond: 60 * megabyte, onSent: (bytes: number) => void (sent = bytes) };
      const ended = new AbortController();
      const uploaded = sendTus(service, film, sending, progressId).finally(() => ended.abort());
      await untilPlaying(service, progressId, ended.signal);
      shares.push(sent / film.bytes);
      const one = await uploaded;
      seconds.push(await untilReady(service, one));
      await discard(service, one);
    }
    return { shares, seconds };
  });
}

async function untilPlaying(service: Service, progressId: string, ended: AbortSignal): Promise<void> {
  while (!ended.aborted) {
    const response = await fetch(`${service.url}/api/progressbar/${progressId}/play`, {
      method: 'POST',
      headers: { ...authorization(service), 'Content-Type': 'application/json' },
      body: '{}',
    });
    if (response.ok) {
      const { streamer } = (await response.json()) as { streamer: string };
      if (streamer !== '' && (await receiveFirstSegment(streamer))) return;
    } else await response.body?.cancel();
    await sleep(50);
  }
  throw new Error('the upload has ended before its beginning could be played');
}
