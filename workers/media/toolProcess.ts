import { spawn, type ChildProcessByStdio } from 'node:child_process';
import type { Socket } from 'node:net';
import { setPriority } from 'node:os';
import type { Readable } from 'node:stream';
import { withErrorListener } from '../../shared/platform/errorListener.js';
import { killedWithParent } from './killWithParent.js';
import { MediaInterruptedError, type MediaRun } from './runner.js';
import { verdictOn, type EndedTool } from './toolVerdict.js';
import { watch, type Watchdog } from './watchdog.js';

/** Scheduling priority below the processes that respond to requests. */
export const usualNiceness = 15;
/** Of the output of a tool that has failed. */
export const tailLength = 2_000;

/**
 * What a tool writes is cut off where it gets a signal of shutdown, and its reader may take that for damage. So a tool whose output
 * is refused has this long to end by itself: then its exit tells which of both it was.
 */
export const refusedOutputMs = 2_000;

/** Environment variables that ffmpeg gets: where programs and libraries are, but no secrets. */
export function toolEnvironment(): NodeJS.ProcessEnv {
  const { PATH, LD_LIBRARY_PATH } = process.env;
  return { ...(PATH ? { PATH } : {}), ...(LD_LIBRARY_PATH ? { LD_LIBRARY_PATH } : {}) };
}

/** A tool that runs. */
export interface ToolProcess {
  readonly child: ChildProcessByStdio<null, Readable | null, Readable>;
  readonly watchdog: Watchdog;
  /** The end of its error output. */
  readonly said: () => string;
}

/** Where a tool runs, and where its standard output goes. */
interface ToolSurroundings {
  /** Default: that of this process. */
  readonly folder?: string;
  /** Default: a pipe, `child.stdout`. */
  readonly output?: Socket;
}

/** Starts ffmpeg or ffprobe. Throws if the run is aborted already. */
export function startTool(
  path: string,
  options: readonly string[],
  run: MediaRun,
  { folder, output }: ToolSurroundings = {},
): ToolProcess {
  run.signal.throwIfAborted();
  const [program, ...words] = killedWithParent(path);
  const child = withErrorListener(
    spawn(program, [...words, '-hide_banner', '-loglevel', 'error', ...options], {
      ...(folder === undefined ? {} : { cwd: folder }),
      env: toolEnvironment(),
      stdio: ['ignore', output ?? 'pipe', 'pipe'],
    }),
  ) as ToolProcess['child'];
  child.once('spawn', () => lowerPriority(child.pid, run.niceness ?? usualNiceness));
  let said = '';
  child.stderr.on('data', (data: Buffer) => (said = (said + data.toString()).slice(-tailLength)));
  return { child, watchdog: watch(child, run), said: () => said };
}

/** The process may have ended already. */
export function lowerPriority(pid: number | undefined, niceness: number): void {
  try {
    if (pid !== undefined) setPriority(pid, niceness);
  } catch {
    // It has ended already.
  }
}

/** Resolves when the tool has ended well; rejects as `verdictOn` decides, or with the reason why it was ended. */
export async function endOfTool({ child, said, watchdog }: ToolProcess, run: ToolRunOf): Promise<void> {
  const [code, killedBy] = await new Promise<[number | null, string | null]>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (...ended) => resolve(ended));
  });
  await endOfRun({ ...run, code, killedBy, said: said() }, watchdog);
}

type ToolRunOf = Pick<EndedTool, 'tool' | 'inputs' | 'signal'>;

/** As `endOfTool`, of a tool that has ended. */
export async function endOfRun(ended: EndedTool, watchdog: Watchdog): Promise<void> {
  const reason = watchdog.reason();
  if (reason !== undefined && watchdog.hasSignalled()) throw reason;
  const verdict = await verdictOn(ended);
  // What it wrote was cut off by the signal, and refused for that.
  if (verdict instanceof MediaInterruptedError) throw verdict;
  if (reason !== undefined) throw reason;
  if (verdict !== null) throw verdict;
}
