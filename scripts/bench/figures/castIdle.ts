import { setTimeout as sleep } from 'node:timers/promises';
import type { BenchContext } from '../benchContext.js';
import { insertOwner } from '../catalogue.js';
import { openCastChannels } from '../castChannels.js';
import { startChannelEngine } from '../channelEngine.js';
import { NotMeasured, type Figure } from '../figure.js';
import { cpuSecondsOf, descendantsOf, residentBytesOf } from '../processUsage.js';
import { openBenchContext } from '../service.js';

const channels = 100;
const wholeMinute = 60;

interface Use {
  readonly cpuSecondsPerMinute: number;
  readonly bytes: number;
}

export const castIdleFigure: Figure = {
  name: 'cast-idle',
  title:
    'Processor time of 100 cast channels that nobody watches, in a minute; beside it 100 of `eyevinn-channel-engine` 3.0.5',
  target: { atMost: 0.2 },
  targetUnit: 's',
  method:
    'Worker, clock and PostgreSQL with 100 channels that have a program of an hour at every moment, less the same without channels; beside it the ' +
    'process of channel-engine with 100 channels, less the same without channels. Seconds of processor time for each minute. In ' +
    'parentheses the memory that the channels add to the processes of Node. The slates of the channels, which are made once, are made before.',
  async measure(bench) {
    if (process.platform !== 'linux') throw new NotMeasured('processor time of processes is known on Linux only');
    const ours = await useOfOurs(bench);
    const reference = await useOfReference(bench);
    const megabytes = ({ bytes }: Use): string => `${Math.round(bytes / 1e6)} MB`;
    return {
      ...{ unit: 's/min', ours: ours.cpuSecondsPerMinute, reference: reference.cpuSecondsPerMinute },
      result: ours.cpuSecondsPerMinute,
      note: `memory ${megabytes(ours)} against ${megabytes(reference)}`,
    };
  },
};

async function useOfOurs(bench: BenchContext): Promise<Use> {
  const environment = await bench.settings();
  const ctx = await openBenchContext(bench, environment);
  const processes = [
    await bench.start('workers/main.js', environment),
    await bench.start('workers/clock.js', environment),
  ];
  const pids = processes.map(({ pid }) => pid);
  const ownerId = await insertOwner(ctx);
  const measure = (): Promise<Use> => useOf(bench, pids, () => descendantsOf(process.pid, 'postgres'));
  await settle(bench);
  const without = await measure();
  bench.onProgress(30);
  await openCastChannels(ctx, ownerId, channels);
  await settle(bench);
  bench.say('Waiting for the slates of the channels ...');
  const waiting = () =>
    ctx.db.rows(
      "SELECT id FROM cast_slates WHERE state = 'WAITING' UNION ALL SELECT id FROM cast_cuts WHERE state = 'WAITING'",
    );
  while ((await waiting()).length > 0) await sleep(1_000);
  const use = less(await measure(), without);
  bench.onProgress(60);
  const [decided] = await ctx.db.rows<{ count: number }>(
    'SELECT count(DISTINCT channel_id)::int AS count FROM cast_airings',
  );
  if (decided?.count !== channels) throw new Error(`${decided?.count} of ${channels} channels play something`);
  await Promise.all(processes.map((one) => one.stop()));
  return use;
}

async function useOfReference(bench: BenchContext): Promise<Use> {
  const environment = await bench.settings();
  const uses: Use[] = [];
  for (const count of [0, channels]) {
    const { pid } = await startChannelEngine(bench, environment, count);
    await settle(bench);
    uses.push(await useOf(bench, [pid], () => []));
    bench.onProgress(uses.length === 1 ? 80 : 100);
  }
  return less(uses[1] as Use, uses[0] as Use);
}

/** What was started or added has done its first work. */
async function settle(bench: BenchContext): Promise<void> {
  await sleep(bench.quick ? 5_000 : wholeMinute * 1000);
}

/** Over whole minutes, because the clock starts jobs by the minute. */
async function useOf(bench: BenchContext, pids: readonly number[], others: () => readonly number[]): Promise<Use> {
  const seconds = (): number => [...pids, ...others()].reduce((sum, pid) => sum + cpuSecondsOf(pid), 0);
  const minutes = bench.quick ? 1 : 2;
  const before = seconds();
  await sleep(minutes * wholeMinute * 1000);
  const bytes = pids.reduce((sum, pid) => sum + residentBytesOf(pid), 0);
  return { cpuSecondsPerMinute: (seconds() - before) / minutes, bytes };
}

function less(use: Use, without: Use): Use {
  return {
    cpuSecondsPerMinute: use.cpuSecondsPerMinute - without.cpuSecondsPerMinute,
    bytes: use.bytes - without.bytes,
  };
}
