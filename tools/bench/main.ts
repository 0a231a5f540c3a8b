import { loadavg } from 'node:os';
import { parseArgs } from 'node:util';
import { startTestDatabase } from '../../scripts/embedded/embeddedDatabase.js';
import { findMediaTools } from '../../scripts/embedded/mediaTools.js';
import { StartupError } from '../../scripts/embedded/startupError.js';
import { createShutdown } from '../../scripts/embedded/shutdown.js';
import { createTerminal, type Terminal } from '../../scripts/embedded/terminal.js';
import { createClips } from './clips.js';
import { createCleanups, type Cleanups } from '../../scripts/embedded/cleanup.js';
import { NotMeasured, type Figure } from './figure.js';
import { figures } from './figures.js';
import { describeMachine } from './machine.js';
import { openRecord } from './record.js';
import { createDeploymentContext, type BenchContext, type BenchContextOptions } from './benchContext.js';
import { tableHead, tableRow, type Row } from './table.js';

/** Above this load average other processes disturb the figures. */
const idleLoad = 0.5;

/**
 * `npm run bench [-- [--quick] [--from <name>] [name ...]]`: measures all figures, all from one on, or the named ones, and prints
 * the table. Only runs of all figures, or of all from one on, are recorded: nobody can choose the best of several measurements of
 * one figure.
 */
async function runBench(parameters: string[], terminal: Terminal, cleanups: Cleanups): Promise<void> {
  const options = { quick: { type: 'boolean', default: false }, from: { type: 'string' } } as const;
  const { values, positionals: names } = parseArgs({ args: parameters, options, allowPositionals: true });
  const { quick, from } = values;
  if (from && names.length > 0) throw new StartupError('Use either --from or names of figures, not both.');
  const chosen = names.length > 0 ? figuresNamed(names) : figures.slice(from ? positionOf(from) : 0);
  const [load = 0] = loadavg();
  if (load > idleLoad) terminal.say(`The machine is busy (load ${load.toFixed(1)}): figures are not reliable.`);
  const tools = await findMediaTools(process.env, terminal.say);
  const database = await startTestDatabase();
  cleanups.add(() => database.stop());
  const machine = await describeMachine(tools.ffmpegPath, database.url);
  terminal.say(machine);
  const record = quick || names.length > 0 ? null : await openRecord(machine, figures);
  const shared = { tools, quick, databaseUrl: database.url, say: terminal.say, once: createOnce() };
  const ofRun = { ...shared, ...createDeploymentContext({ ...shared, cleanups }), cleanups, onProgress: () => {} };
  const run = { ...shared, clips: createClips(ofRun) };
  terminal.print(tableHead());
  for (const figure of chosen) {
    const row = { figure, measured: await measure(figure, run, terminal, cleanups) };
    terminal.print(tableRow(row));
    await record?.add(row);
  }
}

const isOf = (figure: Figure, name: string): boolean => figure.name === name || figure.name.startsWith(`${name}-`);

/** @throws StartupError if there is no figure with one of the names. */
function figuresNamed(names: readonly string[]): readonly Figure[] {
  names.forEach(positionOf);
  return figures.filter((figure) => names.some((name) => isOf(figure, name)));
}

/** The index of the first figure with a name. @throws StartupError if there is none. */
function positionOf(name: string): number {
  const position = figures.findIndex((figure) => isOf(figure, name));
  if (position >= 0) return position;
  throw new StartupError(`There is no figure ${name}. Figures: ${figures.map((figure) => figure.name).join(', ')}.`);
}

function createOnce(): BenchContext['once'] {
  const results = new Map<string, Promise<unknown>>();
  return <Result>(name: string, work: () => Promise<Result>) => {
    const result = results.get(name) ?? work();
    results.set(name, result);
    return result as Promise<Result>;
  };
}

/** Closes what the figure has opened, even if the bench is interrupted. */
async function measure(
  figure: Figure,
  run: Omit<BenchContextOptions, 'cleanups' | 'onProgress'> & Pick<BenchContext, 'clips'>,
  terminal: Terminal,
  cleanups: Cleanups,
): Promise<Row['measured']> {
  const own = createCleanups();
  cleanups.add(() => own.run());
  const progress = terminal.progress(figure.name);
  try {
    const context = { ...run, ...createDeploymentContext({ ...run, cleanups: own }), cleanups: own };
    return await figure.measure({ ...context, onProgress: (percent) => progress.show(percent) });
  } catch (error) {
    if (!(error instanceof NotMeasured)) throw error;
    return error.message;
  } finally {
    progress.end();
    await own.run();
  }
}

const terminal = createTerminal(process.stdout, 'bench');
const shutdown = createShutdown(terminal.say);
const cleanups = createCleanups();
shutdown.add(() => cleanups.run());
try {
  await runBench(process.argv.slice(2), terminal, cleanups);
  shutdown.begin('Done.', 0);
} catch (error) {
  await shutdown.fail(error);
}
