import { spawn, type ChildProcessByStdio } from 'node:child_process';
import type { Socket } from 'node:net';
import { setPriority } from 'node:os';
import type { Readable } from 'node:stream';
import { withErrorListener } from '../../shared/platform/errorListener.js';
import { killedWithParent } from './killWithParent.js';
import { MediaError, MediaInterruptedError, type MediaRun } from './runner.js';
import { watch, type Watchdog } from './watchdog.js';

/** Scheduling priority below the processes that respond to requests. */
export const usualNiceness = 15;
/** Of the output of a tool that has failed. */
export const tailLength = 2_000;

/**
 * Whether a tool ended in this way has got a signal of shutdown. ffmpeg catches it and exits with 255, which it also does where a
 * function has failed with -1; the message for that is the one of EPERM.
 */
export function isInterrupted(code: number | null, signal: string | null, said: string): boolean {
  if (signal === 'SIGTERM' || signal === 'SIGINT') return true;
  return code === 255 && !said.includes('Operation not permitted');
}

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

/** Starts ffmpeg or ffprobe. Throws where the run is aborted already. */
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
function lowerPriority(pid: number | undefined, niceness: number): void {
  try {
    if (pid !== undefined) setPriority(pid, niceness);
  } catch {
    // It has ended already.
  }
}

/** Resolves when the tool has ended well; rejects with MediaError, or with the reason why it was ended. */
export function endOfTool(tool: string, { child, said, watchdog }: ToolProcess): Promise<void> {
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code, signal) => {
      const reason = watchdog.reason();
      if (!watchdog.hasSignalled() && isInterrupted(code, signal, said()))
        reject(new MediaInterruptedError(`${tool} was ended by ${signal ?? 'a signal'}`));
      else if (reason !== undefined) reject(reason);
      else if (isNotRun(code)) reject(new Error(`${tool} cannot be run: ${said()}`.trim()));
      else if (code !== 0) reject(new MediaError(`${tool} ended with ${code ?? signal}\n${said()}`.trim()));
      else resolve();
    });
  });
}

/** Exit codes of `setpriv` and `nice` when they cannot start the program; ffmpeg and ffprobe do not use them. */
export function isNotRun(code: number | null): boolean {
  return code === 126 || code === 127;
}
