import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { runOnce } from '../../scripts/embedded/children.js';
import type { Cleanups } from '../../scripts/embedded/cleanup.js';
import { loadCredentials } from '../../scripts/embedded/credentials.js';
import type { MediaTools } from '../../scripts/embedded/mediaTools.js';
import { migrate } from '../../scripts/migrate.js';
import { withErrorListener } from '../../shared/platform/errorListener.js';

/** A video file of the bench. */
export interface Clip {
  readonly path: string;
  readonly seconds: number;
  readonly bytes: number;
}

/** The sources of the media figures: H.264 with 30 frames per second, and audio. Each is generated once per run, at its first use. */
export interface Clips {
  /** 1080p, 60 s, about 6 Mbit/s, as complex to encode as real video. */
  h264(): Promise<Clip>;
  /** 12 s of `h264`. */
  short(): Promise<Clip>;
  /** 1080p, an hour, about 2 GB. */
  film(): Promise<Clip>;
}

/** Folders, databases and processes on this machine. The cleanups close them, last in first out. */
interface Deployment {
  /** A temporary folder. */
  folder(): Promise<string>;
  /** Creates a new, migrated database, and returns complete default settings for it. No process is started. */
  settings(overrides?: Readonly<Record<string, string>>): Promise<Record<string, string>>;
  /** Starts one of the built processes. Resolves when it is ready. */
  start(entry: string, environment: Readonly<Record<string, string>>): Promise<Process>;
}

interface Process {
  readonly pid: number;
  stop(): Promise<void>;
}

interface DeploymentOptions {
  readonly tools: MediaTools;
  /** Address of the administrator of a PostgreSQL. */
  readonly databaseUrl: string;
  readonly cleanups: Cleanups;
}

export interface BenchContextOptions extends DeploymentOptions {
  /** For tests of the bench itself: less data and time, unreliable figures. */
  readonly quick: boolean;
  /** Called with the progress of the figure in percent. */
  readonly onProgress: (percent: number) => void;
  /** Prints a step of the preparation. */
  readonly say: (line: string) => void;
  /** Runs `work` at the first call with this name in a run, for all figures that need its result. */
  once<Result>(name: string, work: () => Promise<Result>): Promise<Result>;
}

/** The context in which a figure is measured. Its resources are closed after the figure. */
export interface BenchContext extends BenchContextOptions, Deployment {
  readonly clips: Clips;
}

/** The last lines of a process that are printed if it fails. */
const maxLines = 40;

export function createDeploymentContext({ cleanups, databaseUrl, tools }: DeploymentOptions): Deployment {
  const folder = async (): Promise<string> => {
    const path = await mkdtemp(join(tmpdir(), 'video-platform-bench-'));
    cleanups.add(() => rm(path, { recursive: true, force: true }));
    return path;
  };
  return {
    folder,
    async settings(overrides = {}) {
      const dataDir = await folder();
      // No other variable is inherited: the shell's settings must not change a figure.
      const { PATH = '', HOME = '' } = process.env;
      return {
        ...{ PATH, HOME, ...loadCredentials(dataDir, {}), DATA_DIR: dataDir, PAYMENTS: 'sandbox' },
        DATABASE_URL: await createDatabase(databaseUrl, cleanups),
        ...{ FFMPEG_PATH: tools.ffmpegPath, FFPROBE_PATH: tools.ffprobePath },
        ...overrides,
      };
    },
    start: (entry, environment) => start(entry, environment, cleanups),
  };
}

async function createDatabase(serverUrl: string, cleanups: Cleanups): Promise<string> {
  const name = `bench_${randomBytes(6).toString('hex')}`;
  await onServer(serverUrl, `CREATE DATABASE ${name}`);
  cleanups.add(async () => void (await onServer(serverUrl, `DROP DATABASE ${name} WITH (FORCE)`)));
  const url = new URL(serverUrl);
  url.pathname = `/${name}`;
  await migrate(url.href);
  return url.href;
}

/** Runs a statement on a PostgreSQL. Resolves with the first row. */
export async function onServer(url: string, statement: string): Promise<Readonly<Record<string, string>> | undefined> {
  const client = withErrorListener(new pg.Client({ connectionString: url }));
  await client.connect();
  try {
    const { rows } = await client.query<Record<string, string>>(statement);
    return rows[0];
  } finally {
    await client.end();
  }
}

/** Prints the last lines of the process if it does not become ready. If it ends later, the figure fails at its next use. */
async function start(
  entry: string,
  environment: Readonly<Record<string, string>>,
  cleanups: Cleanups,
): Promise<Process> {
  const lines: string[] = [];
  const print = (text: string): void => void lines.splice(0, lines.push(text) - maxLines);
  const child = runOnce({ name: entry, entry, environment, print, say: (text) => console.error(text) });
  cleanups.add(() => child.stop());
  await child.ready.catch((error: unknown) => {
    console.error(lines.join('\n'));
    throw error;
  });
  return { pid: child.pid, stop: () => child.stop() };
}
