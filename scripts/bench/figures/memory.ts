import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '../../embedded/freePort.js';
import type { BenchContext } from '../benchContext.js';
import { NotMeasured, type Figure } from '../figure.js';
import { untilReady, upload } from '../ingest.js';
import { residentBytesOf, watchMemory } from '../processUsage.js';
import { queuesWithoutTranscoding, startService } from '../service.js';

const megabyte = 1e6;

interface UploadUse {
  /** More memory of the web process during the upload than before. */
  readonly webBytes: number;
  /** The most memory of the worker process, until READY. */
  readonly workerBytes: number;
  readonly webBefore: number;
}

const source =
  'The web process has answered a registration and a login. Then an hour of 1080p30 (about 2 GB) is uploaded. Resident memory is read every 100 ms.';

export const uploadMemoryFigure: Figure = {
  name: 'memory-upload',
  title: 'Memory that the web process takes more for an upload of 2 GB',
  target: { atMost: 40 },
  targetUnit: 'MB',
  method: `${source} The most during the upload, less that before it.`,
  async measure(bench) {
    const { webBytes, webBefore } = await measureUpload(bench);
    const note = `${Math.round(webBefore / megabyte)} MB before`;
    return { unit: 'MB', ours: webBytes / megabyte, reference: null, result: webBytes / megabyte, note };
  },
};

export const workerMemoryFigure: Figure = {
  name: 'memory-worker',
  title: 'Memory of the worker process beside ffmpeg, from the same upload to READY',
  target: { atMost: 300 },
  targetUnit: 'MB',
  method: `${source} The most of the worker process from the start of the upload to READY.`,
  async measure(bench) {
    const { workerBytes } = await measureUpload(bench);
    return { unit: 'MB', ours: workerBytes / megabyte, reference: null, result: workerBytes / megabyte };
  },
};

export const idleMemoryFigure: Figure = {
  name: 'memory-idle',
  title: 'Memory of an idle clock process',
  target: { atMost: 110 },
  targetUnit: 'MB',
  method:
    'Resident memory of processes that have been ready for 20 s, and have done nothing. In parentheses the other processes.',
  async measure(bench) {
    assertLinux();
    const { environment } = await startService(bench);
    const pidOf = async (entry: string, settings: Readonly<Record<string, string>> = {}): Promise<number> =>
      (await bench.start(entry, { ...environment, ...settings })).pid;
    const pids = {
      clock: await pidOf('workers/clock.js'),
      web: await pidOf('api/main.js', { PORT: String(await freePort()) }),
      worker: await pidOf('workers/main.js', { WORKER_QUEUES: queuesWithoutTranscoding }),
      media: await pidOf('workers/main.js', { WORKER_QUEUES: 'transcoding' }),
      live: await pidOf('workers/live.js', { RTMP_PORT: String(await freePort()) }),
    };
    await sleep(bench.quick ? 5_000 : 20_000);
    const megabytes = ([name, pid]: [string, number]): string =>
      `${name} ${Math.round(residentBytesOf(pid) / megabyte)} MB`;
    const [clock, ...others] = Object.entries(pids);
    const result = residentBytesOf(clock?.[1] ?? 0) / megabyte;
    return { unit: 'MB', ours: result, reference: null, result, note: others.map(megabytes).join(', ') };
  },
};

function assertLinux(): void {
  if (process.platform !== 'linux') throw new NotMeasured('memory of processes is known on Linux only');
}

function measureUpload(bench: BenchContext): Promise<UploadUse> {
  return bench.once('memory-upload', () => measure(bench));
}

async function measure(bench: BenchContext): Promise<UploadUse> {
  assertLinux();
  const film = await bench.clips.film();
  const service = await startService(bench);
  const worker = await bench.start('workers/main.js', {
    ...service.environment,
    WORKER_QUEUES: queuesWithoutTranscoding,
  });
  await sleep(2_000);
  const webBefore = residentBytesOf(service.pid);
  const watched = watchMemory({ web: service.pid, worker: worker.pid });
  const one = await upload(service, film);
  const webBytes = watched.most('web') - webBefore;
  await untilReady(service, one);
  watched.stop();
  return { webBytes, webBefore, workerBytes: watched.most('worker') };
}
