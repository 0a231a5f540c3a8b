import { contentStates } from '../../shared/content/contentState.queries.js';
import { apiAt, type TestApi, bodyOf } from './api.js';
import { openTestContext, type TestContext } from './context.js';
import { eventually, slowness } from './eventually.js';
import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { freePort } from '../../scripts/embedded/freePort.js';
import { watchLog, watchPrintedWarnings } from './testFaults.js';
import { uploadForm } from './uploads.js';

/** A deployment of the service: built processes with a separate database and folder. */
export interface TestDeployment {
  /** A context with the same database and files, outside the processes. */
  readonly ctx: TestContext;
  readonly api: TestApi;
  /** `build`: see `startBuilt`. */
  start(
    kind: 'web' | 'worker' | 'live' | 'clock',
    overrides?: Readonly<Record<string, string>>,
    build?: string,
  ): Promise<BuiltProcess>;
  /** Stops the remaining processes and removes everything. */
  close(): Promise<void>;
}

/** Prepares a deployment; `start` starts its processes. */
export async function openDeployment(
  overrides: Record<string, string> = {},
  databaseServer?: string,
  { isMigrated = true } = {},
): Promise<TestDeployment> {
  const port = String(await freePort());
  const ctx = await openTestContext(
    { PORT: port, PUBLIC_URL: `http://127.0.0.1:${port}`, LOG_LEVEL: 'warn', ...overrides },
    { databaseServer, isMigrated },
  );
  const running: BuiltProcess[] = [];
  return {
    ctx,
    api: apiAt(ctx, `http://127.0.0.1:${port}`),
    async start(kind, more = {}, build?: string) {
      const started = await startBuilt(kind, { ...ctx.env, ...more }, build);
      running.push(started);
      return started;
    },
    async close() {
      await Promise.all(running.map((one) => one.end('SIGKILL')));
      await ctx.close();
    },
  };
}

/** Uploads a file into a user's box through the API; resolves with the box item. */
export async function uploadClip(
  api: TestApi,
  token: string,
  file: Blob,
  title: string,
): Promise<{ boxId: string; contentId: string }> {
  const body = uploadForm({ title, file, fileName: 'clip.mp4' });
  return bodyOf(201, await api.call('POST', '/api/box', { token, body }));
}

/** Waits until a box item is no longer PENDING; resolves with its status. */
export async function untilSettled(api: TestApi, token: string, boxId: string, timeoutMs: number): Promise<string> {
  return eventually(
    async () => {
      const { status, body } = await api.call('GET', `/api/box/${boxId}`, { token });
      if (status !== 200 || body.status === 'PENDING')
        throw new Error(`not settled within ${timeoutMs} ms: ${status} ${body?.status}`);
      return body.status as string;
    },
    { timeoutMs, everyMs: 200 },
  );
}

/** Waits until a share of a content's chunks is done, in percent, so that a crash happens during the work. */
export async function untilProgress(
  ctx: TestContext,
  contentUuid: string,
  percent: number,
  timeoutMs = 180_000,
): Promise<void> {
  await eventually(
    async () => {
      const progress = (await contentStates(ctx, [contentUuid])).get(contentUuid)?.percent ?? 0;
      if (progress < percent) throw new Error(`at ${progress} percent, not at ${percent}`);
    },
    { timeoutMs, everyMs: 50 },
  );
}

const entryPoints = {
  web: 'api/main.js',
  worker: 'workers/main.js',
  live: 'workers/live.js',
  clock: 'workers/clock.js',
} as const;

/** The build of these tests. */
const ownBuild = fileURLToPath(new URL('../..', import.meta.url));

const stopWithParent = fileURLToPath(new URL('../../scripts/embedded/stopWithParent.js', import.meta.url));

/** A built process, run as in a deployment. */
export interface BuiltProcess {
  readonly pid: number;
  /** Its output so far. */
  output(): string;
  /** Stops reading its output: the pipe is closed, or only unread. */
  leaveOutput(how: 'closed' | 'unread'): void;
  /** Sends a signal and waits for the end; resolves with the exit code, or the signal's name. */
  end(signal: NodeJS.Signals): Promise<number | NodeJS.Signals>;
}

/**
 * Starts a built process of this build or of another folder, and resolves when it logs that it is ready; rejects with its
 * output if it ends before.
 */
export async function startBuilt(
  kind: keyof typeof entryPoints,
  env: Readonly<Record<string, string>>,
  build = ownBuild,
): Promise<BuiltProcess> {
  const child = fork(join(build, entryPoints[kind]), [], {
    execArgv: ['--enable-source-maps', '--import', stopWithParent],
    env: { PATH: process.env['PATH'], HOME: process.env['HOME'], ...env },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  let printed = '';
  child.stdout?.on('data', (data: Buffer) => (printed += data.toString()));
  child.stderr?.on('data', (data: Buffer) => (printed += data.toString()));
  watchPrintedWarnings(child.stderr);
  watchLog(child.stdout);
  await readiness(child, () => printed);
  return {
    pid: child.pid as number,
    output: () => printed,
    leaveOutput(how) {
      for (const stream of [child.stdout, child.stderr]) {
        if (how === 'closed') stream?.destroy();
        else stream?.pause();
      }
    },
    async end(signal) {
      if (child.exitCode === null && child.signalCode === null) {
        const exit = once(child, 'exit');
        child.kill(signal);
        await exit;
      }
      return child.exitCode ?? (child.signalCode as NodeJS.Signals);
    },
  };
}

function readiness(child: ChildProcess, printed: () => string): Promise<void> {
  return new Promise((resolve, reject) => {
    const timeoutMs = 30_000 * slowness;
    const giveUp = setTimeout(() => {
      child.kill('SIGKILL');
      reject(new Error(`not ready within ${timeoutMs} ms:\n${printed()}`));
    }, timeoutMs);
    child.once('message', () => {
      clearTimeout(giveUp);
      resolve();
    });
    child.once('exit', (code, signal) => {
      clearTimeout(giveUp);
      reject(new Error(`ended with ${code ?? signal} before it was ready:\n${printed()}`));
    });
  });
}

/** The port of a live process started with `RTMP_PORT=0` that logs at `info`. */
export function rtmpPortOf(live: BuiltProcess): Promise<number> {
  return eventually(() => {
    const [, port] = /"port":(\d+)[^\n]*"RTMP server listening"/.exec(live.output()) ?? [];
    if (!port) throw new Error(`no RTMP port in the log:\n${live.output()}`);
    return Number(port);
  });
}

/** The children of a process, with their command lines. Linux only. */
export function childrenOf(parent: number): { pid: number; command: string }[] {
  return readdirSync('/proc')
    .map(Number)
    .filter((pid) => pid > 0 && Number(/\) \S (\d+)/.exec(read(`/proc/${pid}/stat`))?.[1]) === parent)
    .map((pid) => ({ pid, command: read(`/proc/${pid}/cmdline`).replaceAll('\0', ' ').trim() }));
}

/** The id of an ffmpeg or ffprobe that this process has started, as soon as it exists. */
export function runningTool(): Promise<number> {
  return eventually(() => {
    const found = childrenOf(process.pid).find(({ command }) => /^(\S*\/)?ff\w+( |$)/.test(command));
    if (!found) throw new Error('not started yet');
    return found.pid;
  });
}

/** Empty if the process has ended. */
function read(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}

export { freePort };
