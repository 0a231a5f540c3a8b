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
/** Maximum length of the retained error output, in characters. */
export const tailLength = 2_000;

/**
 * The output of a tool is truncated at a shutdown signal, which its reader may mistake for damage. A tool whose output is refused
 * therefore has this time to end by itself: its exit code shows the cause.
 */
export const refusedOutputMs = 2_000;

/** Environment of ffmpeg: the search paths of programs and libraries, but no secrets. */
export function toolEnvironment(): NodeJS.ProcessEnv {
  const { PATH, LD_LIBRARY_PATH } = process.env;
  return { ...(PATH ? { PATH } : {}), ...(LD_LIBRARY_PATH ? { LD_LIBRARY_PATH } : {}) };
}

/** A running tool. */
export interface ToolProcess {
  readonly child: ChildProcessByStdio<null, Readable | null, Readable>;
  readonly watchdog: Watchdog;
  /** The end of its error output. */
  readonly said: () => string;
}

/** The working folder and standard output of a tool. */
interface ToolSurroundings {
  /** Default: that of this process. */
  readonly folder?: string;
  /** Default: a pipe, `child.stdout`. */
  readonly output?: Socket;
}

/** Starts ffmpeg or ffprobe. Throws if the run has been aborted. */
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

/** Resolves when the tool has succeeded; rejects with the error of `verdictOn`, or with the reason why it was ended. */
export async function endOfTool({ child, said, watchdog }: ToolProcess, run: ToolRunOf): Promise<void> {
  const [code, killedBy] = await new Promise<[number | null, string | null]>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (...ended) => resolve(ended));
  });
  await endOfRun({ ...run, code, killedBy, said: said() }, watchdog);
}

type ToolRunOf = Pick<EndedTool, 'tool' | 'inputs' | 'signal'>;

/** Like `endOfTool`, for a tool that has ended. */
export async function endOfRun(ended: EndedTool, watchdog: Watchdog): Promise<void> {
  const reason = watchdog.reason();
  if (reason !== undefined && watchdog.hasSignalled()) throw reason;
  const verdict = await verdictOn(ended);
  // The output was refused because the signal truncated it.
  if (verdict instanceof MediaInterruptedError) throw verdict;
  if (reason !== undefined) throw reason;
  if (verdict !== null) throw verdict;
}
