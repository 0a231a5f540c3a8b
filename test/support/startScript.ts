import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync, realpathSync } from 'node:fs';
import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { eventually } from './eventually.js';
import { freePort } from './deployment.js';
import { watchPrintedWarnings } from './testFaults.js';

const demos = {
  live: fileURLToPath(new URL('../../tools/demo/live/main.js', import.meta.url)),
  cast: fileURLToPath(new URL('../../tools/demo/cast/main.js', import.meta.url)),
};

const startScript = fileURLToPath(new URL('../../scripts/start.js', import.meta.url));

/** A running `npm start`, without installation and build. */
export interface StartedScript {
  readonly pid: number;
  output(): string;
  /** Resolves when it has printed this text. */
  prints(text: string | RegExp, timeoutMs?: number): Promise<void>;
  signal(name: NodeJS.Signals): void;
  /** Closes the pipe of its output, as `head` does. */
  closeOutput(): void;
  /** Resolves with the exit code, or the signal's name. */
  readonly ended: Promise<number | NodeJS.Signals>;
}

/** Settings come only from `env`, except the search path. */
export function runStart(env: Readonly<Record<string, string>>): StartedScript {
  return runScript(startScript, env);
}

/**
 * Runs `npm run demo:live` or `demo:cast` for the `npm start` with the same settings. With a signal: until it has printed
 * that the event is on air, or the timetable.
 */
export async function runDemo(
  demo: keyof typeof demos,
  settings: Readonly<Record<string, string>>,
  signal?: NodeJS.Signals,
): Promise<{ readonly code: number | NodeJS.Signals; readonly output: string }> {
  const running = runScript(demos[demo], { ...settings, DEMO: 'off' });
  if (signal) {
    await running.prints(/On air|ended|▶/);
    running.signal(signal);
  }
  return { code: await running.ended, output: running.output() };
}

function runScript(script: string, env: Readonly<Record<string, string>>): StartedScript {
  const tools = Object.fromEntries(['FFMPEG_PATH', 'FFPROBE_PATH'].map((tool) => [tool, process.env[tool] ?? '']));
  const child = spawn(process.execPath, ['--enable-source-maps', script], {
    env: { PATH: process.env['PATH'], ...tools, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let printed = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (data: Buffer) => (printed += data.toString()));
  watchPrintedWarnings(child.stdout, child.stderr);
  const ended = once(child, 'close').then(([code, signal]) => (code ?? signal) as number | NodeJS.Signals);
  return {
    pid: child.pid as number,
    output: () => printed,
    async prints(text, timeoutMs = 60_000) {
      await eventually(
        () => {
          if (typeof text === 'string' ? printed.includes(text) : text.test(printed)) return;
          throw new Error(`has not printed ${text}:\n${printed}`);
        },
        { timeoutMs },
      );
    },
    signal: (name) => void child.kill(name),
    closeOutput() {
      child.stdout.destroy();
      child.stderr.destroy();
    },
    ended,
  };
}

/** A data folder for a separate `npm start`, with settings for a fast one. */
export interface StartFolder {
  readonly dataDir: string;
  readonly port: number;
  readonly settings: Readonly<Record<string, string>>;
  /** Also removes the database, which may be on another server. */
  remove(): Promise<void>;
}

export async function createStartFolder(): Promise<StartFolder> {
  const dataDir = await mkdtemp(join(tmpdir(), 'video-platform-start-'));
  const port = await freePort();
  return {
    dataDir,
    port,
    settings: {
      DATA_DIR: dataDir,
      PORT: String(port),
      DEMO_CLIP_SECONDS: '2',
      ENCODER_PRESET: 'ultrafast',
      LIVE_RENDITIONS: '240',
      LIVE_PRESET: 'ultrafast',
    },
    async remove() {
      const database = await realpath(join(dataDir, 'postgres'));
      await rm(database, { recursive: true, force: true });
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

export interface OwnProcess {
  readonly pid: number;
  readonly command: string;
}

/** The processes of a data folder and of its database, oldest first. Linux only. */
export function processesOf(dataDir: string): OwnProcess[] {
  const database = existsSync(`${dataDir}/postgres`) ? realpathSync(`${dataDir}/postgres`) : dataDir;
  return readdirSync('/proc')
    .map(Number)
    .filter((pid) => pid > 0)
    .sort((one, other) => one - other)
    .map((pid) => ({
      pid,
      command: read(`/proc/${pid}/cmdline`).trim(),
      environment: read(`/proc/${pid}/environ`),
    }))
    .filter(({ command, environment }) => command.includes(database) || environment.includes(`DATA_DIR=${dataDir} `))
    .map(({ pid, command }) => ({ pid, command }));
}

function read(path: string): string {
  try {
    return readFileSync(path, 'utf8').replaceAll('\0', ' ');
  } catch {
    return '';
  }
}
