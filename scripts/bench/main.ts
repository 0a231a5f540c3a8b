import { loadavg } from 'node:os';
import { startTestDatabase } from '../embedded/database.js';
import { findMediaTools } from '../embedded/mediaTools.js';
import { StartupError } from '../embedded/startupError.js';
import { createShutdown } from '../embedded/shutdown.js';
import { createTerminal, type Terminal } from '../embedded/terminal.js';
import { createClips } from './clips.js';
import { createCleanups, type Cleanups } from '../embedded/cleanup.js';
import { NotMeasured, type Figure } from './figure.js';
import { figures } from './figures.js';
import { describeMachine } from './machine.js';
import { writeRecord } from './record.js';
import { createBenchContext, createRunContext, type BenchContext, type BenchContextOptions } from './benchContext.js';
import { benchTable, tableRow, type Row } from './table.js';

/** Above this load average other processes disturb the figures. */
const idleLoad = 0.5;

/** `npm run bench [-- [--quick] [name ...]]`: measures all figures, or those named, and prints the table. */
async function runBench(parameters: readonly string[], terminal: Terminal, cleanups: Cleanups): Promise<void> {
  const quick = parameters.includes('--quick');
  const names = parameters.filter((one) => one !== '--quick');
  const chosen = chooseFigures(names);
  const [load = 0] = loadavg();
  if (load > idleLoad) terminal.say(`The machine is busy (load ${load.toFixed(1)}): figures are not reliable.`);
  const tools = await findMediaTools(process.env, terminal.say);
  const database = await startTestDatabase();
  cleanups.add(() => database.stop());
  const machine = await describeMachine(tools.ffmpegPath, database.url);
  terminal.say(machine.description);
  const shared = { tools, quick, databaseUrl: database.url, say: terminal.say, once: createOnce() };
  const given = { ...shared, clips: createClips(createRunContext({ ...shared, cleanups, onProgress: () => {} })) };
  const rows: Row[] = [];
  for (const figure of chosen) {
    const row = { figure, measured: await measure(figure, given, terminal, cleanups) };
    terminal.print(tableRow(row));
    rows.push(row);
  }
  terminal.print(`\n${benchTable(rows)}\n`);
  if (quick || names.length > 0) return;
  terminal.say(`Written to ${await writeRecord(machine, rows)}`);
}

/** @throws StartupError if there is no figure with a given name. */
function chooseFigures(names: readonly string[]): readonly Figure[] {
  const isOf = (figure: Figure, name: string): boolean => figure.name === name || figure.name.startsWith(`${name}-`);
  const unknown = names.filter((name) => !figures.some((figure) => isOf(figure, name)));
  if (unknown.length > 0) {
    throw new StartupError(
      `There is no figure ${unknown.join(', ')}: there are ${figures.map(({ name }) => name).join(', ')}.`,
    );
  }
  return names.length === 0 ? figures : figures.filter((figure) => names.some((name) => isOf(figure, name)));
}

function createOnce(): BenchContext['once'] {
  const results = new Map<string, Promise<unknown>>();
  return <Result>(name: string, work: () => Promise<Result>) => {
    const result = results.get(name) ?? work();
    results.set(name, result);
    return result as Promise<Result>;
  };
}

/** What a figure has opened is closed after it, also if the bench is interrupted. */
async function measure(
  figure: Figure,
  given: Omit<BenchContextOptions, 'cleanups' | 'onProgress'>,
  terminal: Terminal,
  cleanups: Cleanups,
): Promise<Row['measured']> {
  const own = createCleanups();
  cleanups.add(() => own.run());
  const progress = terminal.progress(figure.name);
  try {
    return await figure.measure(
      createBenchContext({ ...given, cleanups: own, onProgress: (percent) => progress.show(percent) }),
    );
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
