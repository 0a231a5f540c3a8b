import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { runOnce } from '../embedded/children.js';
import { loadCredentials } from '../embedded/credentials.js';
import type { MediaTools } from '../embedded/mediaTools.js';
import { migrate } from '../migrate.js';
import type { Cleanups } from '../embedded/cleanup.js';

/** A video file made for the bench. */
export interface Clip {
  readonly path: string;
  readonly seconds: number;
}

/** What a figure is measured on. What it opens is closed after it, in the order that it needs. */
export interface BenchContext {
  readonly tools: MediaTools;
  /** For trying the bench itself: less of everything, and the figures mean little. */
  readonly quick: boolean;
  readonly cleanups: Cleanups;
  /** How far the figure has come. */
  readonly onProgress: (percent: number) => void;
  /** Says what is being prepared, before the measuring begins. */
  readonly say: (line: string) => void;
  /** The source of the transcoding figures, made once a run. */
  clip(): Promise<Clip>;
  /** A folder for files, gone after the figure. */
  folder(): Promise<string>;
  /** A database of its own with the schema at head, and complete default settings around it; nothing runs yet. */
  settings(overrides?: Readonly<Record<string, string>>): Promise<Record<string, string>>;
  /** Starts one of the built processes and resolves when it is ready. */
  start(entry: string, environment: Readonly<Record<string, string>>): Promise<Process>;
}

export interface Process {
  stop(): Promise<void>;
}

export interface BenchContextOptions extends Pick<
  BenchContext,
  'tools' | 'quick' | 'cleanups' | 'onProgress' | 'say' | 'clip'
> {
  /** Address of the administrator of the bench's own PostgreSQL. */
  readonly databaseUrl: string;
}

/** Lines of a process that are shown when it fails. */
const keptLines = 40;

export function createBenchContext(options: BenchContextOptions): BenchContext {
  const { cleanups, databaseUrl, tools } = options;
  const folder = async (): Promise<string> => {
    const path = await mkdtemp(join(tmpdir(), 'video-platform-bench-'));
    cleanups.add(() => rm(path, { recursive: true, force: true }));
    return path;
  };
  return {
    ...options,
    folder,
    async settings(overrides = {}) {
      const dataDir = await folder();
      return {
        ...surroundings(),
        ...loadCredentials(dataDir, {}),
        DATABASE_URL: await createDatabase(databaseUrl, cleanups),
        DATA_DIR: dataDir,
        FFMPEG_PATH: tools.ffmpegPath,
        FFPROBE_PATH: tools.ffprobePath,
        ...overrides,
      };
    },
    start: (entry, environment) => start(entry, environment, cleanups),
  };
}

/** All that our processes know of the environment: no setting of this shell changes a figure. */
function surroundings(): Record<string, string> {
  const { PATH = '', HOME = '' } = process.env;
  return { PATH, HOME };
}

async function createDatabase(serverUrl: string, cleanups: Cleanups): Promise<string> {
  const name = `bench_${randomBytes(6).toString('hex')}`;
  await onServer(serverUrl, `CREATE DATABASE ${name}`);
  cleanups.add(() => onServer(serverUrl, `DROP DATABASE ${name} WITH (FORCE)`));
  const url = new URL(serverUrl);
  url.pathname = `/${name}`;
  await migrate(url.href);
  return url.href;
}

async function onServer(url: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}

/** A process that ends by itself spoils the figure, which then fails at its next use of it; its last lines say why. */
async function start(
  entry: string,
  environment: Readonly<Record<string, string>>,
  cleanups: Cleanups,
): Promise<Process> {
  const lines: string[] = [];
  const child = runOnce({
    name: entry,
    entry,
    environment,
    print(text) {
      lines.push(text);
      if (lines.length > keptLines) lines.shift();
    },
    say: (text) => console.error(text),
  });
  cleanups.add(() => child.stop());
  try {
    await child.ready;
  } catch (error) {
    console.error(lines.join('\n'));
    throw error;
  }
  return { stop: () => child.stop() };
}
