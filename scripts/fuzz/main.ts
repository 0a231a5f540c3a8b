import { randomInt } from 'node:crypto';
import { parseArgs } from 'node:util';
import { openContext } from '../../shared/context.js';
import { readConfig } from '../../shared/platform/config/config.js';
import { createEnds, type Ends } from '../bench/ends.js';
import { createStage } from '../bench/stage.js';
import { startTestDatabase } from '../embedded/embeddedDatabase.js';
import { freePort } from '../embedded/freePort.js';
import { findMediaTools } from '../embedded/mediaTools.js';
import { Refusal } from '../embedded/refusal.js';
import { createShutdown } from '../embedded/shutdown.js';
import { createTerminal, type Terminal } from '../embedded/terminal.js';
import { fuzz } from './fuzz.js';
import { fuzzSettings } from './fuzzSettings.js';
import { reportOf } from './report.js';
import type { Target } from './publisher.js';

/** What the contract of the project asks for, of each operation. */
const usualCases = 200;

interface Wish {
  readonly seed: number;
  readonly cases: number;
  readonly only: string;
}

/** `npm run fuzz [-- [--seed n] [--cases n] [--only text]]` */
function readWish(parameters: readonly string[]): Wish {
  const { values } = parseArgs({
    args: [...parameters],
    options: { seed: { type: 'string' }, cases: { type: 'string' }, only: { type: 'string' } },
  });
  const whole = (name: 'seed' | 'cases', usual: number): number => {
    const given = Number(values[name] ?? usual);
    if (!Number.isSafeInteger(given) || given < 0) throw new Refusal(`--${name} takes a whole number.`);
    return given;
  };
  return { seed: whole('seed', randomInt(2 ** 31)), cases: whole('cases', usualCases), only: values.only ?? '' };
}

/** The built web process on a database of its own, and the worker that keeps its search index. */
async function startTarget(terminal: Terminal, ends: Ends): Promise<Target> {
  const tools = await findMediaTools(process.env, terminal.say);
  const database = await startTestDatabase();
  ends.add(() => database.stop());
  const { say } = terminal;
  const noClip = () => Promise.reject(new Error('there is no clip to fuzz with'));
  const stage = createStage({
    tools,
    ends,
    say,
    quick: true,
    databaseUrl: database.url,
    clip: noClip,
    onProgress() {},
  });
  const settings = await stage.settings({
    PORT: String(await freePort()),
    WORKER_QUEUES: 'search-sync',
    ...fuzzSettings,
  });
  const ctx = openContext(readConfig('script', settings));
  ends.add(() => ctx.close());
  await stage.start('api/main.js', settings);
  await stage.start('workers/main.js', settings);
  return { url: ctx.config.service.publicUrl, ctx };
}

/** Resolves with the exit code: 1 where something was found. */
async function main(parameters: readonly string[], terminal: Terminal, ends: Ends): Promise<number> {
  const wish = readWish(parameters);
  const target = await startTarget(terminal, ends);
  terminal.say(`Seed ${wish.seed}: --seed ${wish.seed} asks the same again.`);
  const progress = terminal.progress('fuzz');
  const report = await fuzz(target, { ...wish, onProgress: (percent) => progress.show(percent) });
  progress.end();
  terminal.print(reportOf(report));
  return report.findings.length > 0 ? 1 : 0;
}

const terminal = createTerminal(process.stdout, 'fuzz');
const shutdown = createShutdown(terminal.say);
const ends = createEnds();
shutdown.add(() => ends.all());
try {
  const code = await main(process.argv.slice(2), terminal, ends);
  shutdown.begin('Done.', code);
} catch (error) {
  await shutdown.over(error);
}
