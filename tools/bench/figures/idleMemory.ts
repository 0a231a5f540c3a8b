import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '../../../scripts/embedded/freePort.js';
import { residentBytesOf } from '../../processUsage.js';
import { NotMeasured, type Figure } from '../figure.js';
import { queuesWithoutTranscoding, startService } from '../service.js';

export const idleMemoryFigure: Figure = {
  name: 'memory-idle',
  title: 'Memory of an idle clock process',
  target: { atMost: 110 },
  targetUnit: 'MB',
  reason: 'operate.md: the memory of small machines.',
  method:
    'Resident memory of processes that have been ready for 20 s, and have done nothing. In parentheses the other processes.',
  async measure(bench) {
    if (process.platform !== 'linux') throw new NotMeasured('memory of processes is known on Linux only');
    const { environment } = await startService(bench);
    const pidOf = async (entry: string, settings: Readonly<Record<string, string>> = {}): Promise<number> =>
      (await bench.start(entry, { ...environment, ...settings })).pid;
    const clock = await pidOf('workers/clock.js');
    const others = {
      web: await pidOf('api/main.js', { PORT: String(await freePort()) }),
      worker: await pidOf('workers/main.js', { WORKER_QUEUES: queuesWithoutTranscoding }),
      media: await pidOf('workers/main.js', { WORKER_QUEUES: 'transcoding' }),
      live: await pidOf('workers/live.js', { RTMP_PORT: String(await freePort()) }),
    };
    await sleep(bench.quick ? 5_000 : 20_000);
    const megabytes = (pid: number): number => residentBytesOf(pid) / 1e6;
    const result = megabytes(clock);
    const note = Object.entries(others).map(([name, pid]) => `${name} ${Math.round(megabytes(pid))} MB`);
    return { unit: 'MB', ours: result, reference: null, result, note: note.join(', ') };
  },
};
