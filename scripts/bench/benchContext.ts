import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { withErrorListener } from '../../shared/platform/errorListener.js';
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

/** The sources of the media figures: 30 frames per second, with audio. Each is generated once per run, at its first use. */
export interface Clips {
  /** 1080p in H.264, 60 s, about 6 Mbit/s, as hard to encode as real video. */
  h264(): Promise<Clip>;
  /** The same in HEVC. */
  hevc(): Promise<Clip>;
  /** The same in H.264 with a keyframe every two seconds and at most the bits of the ladder: its highest rendition is a copy. */
  fitting(): Promise<Clip>;
  /** 12 s of `h264`. */
  short(): Promise<Clip>;
  /** 480p in H.264, so long that it has 16 chunks of the usual length. */
  small(): Promise<Clip>;
  /** 1080p in H.264, an hour, about 2 GB. */
  film(): Promise<Clip>;
}

/** What a figure needs to be measured. What it opens is closed after the figure, last in first out. */
export interface BenchContext {
  readonly tools: MediaTools;
  /** For testing the bench itself: less data and time, so the figures are not reliable. */
  readonly quick: boolean;
  readonly cleanups: Cleanups;
  /** Called with the progress of the figure. */
  readonly onProgress: (percent: number) => void;
  /** Prints what is being prepared. */
  readonly say: (line: string) => void;
  /** Runs `work` at the first call with this name in a run, for all figures that need its result. */
  once<Result>(name: string, work: () => Promise<Result>): Promise<Result>;
  readonly clips: Clips;
  /** A temporary folder, removed after the figure. */
  folder(): Promise<string>;
  /** Creates a new, migrated database, and returns complete default settings for it. No process is started. */
  settings(overrides?: Readonly<Record<string, string>>): Promise<Record<string, string>>;
  /** Starts one of the built processes and resolves when it is ready. */
  start(entry: string, environment: Readonly<Record<string, string>>): Promise<Process>;
}

export interface Process {
  readonly pid: number;
  stop(): Promise<void>;
}

export interface BenchContextOptions extends Pick<
  BenchContext,
  'tools' | 'quick' | 'cleanups' | 'onProgress' | 'say' | 'once' | 'clips'
> {
  /** Address of the administrator of the bench's own PostgreSQL. */
  readonly databaseUrl: string;
}

/** The last lines of a process that are printed if it fails. */
const keptLines = 40;

export function createBenchContext(options: BenchContextOptions): BenchContext {
  return { ...createRunContext(options), clips: options.clips };
}

/** The same without videos. */
export function createRunContext(options: Omit<BenchContextOptions, 'clips'>): Omit<BenchContext, 'clips'> {
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
        ...inheritedVariables(),
        ...loadCredentials(dataDir, {}),
        DATABASE_URL: await createDatabase(databaseUrl, cleanups),
        DATA_DIR: dataDir,
        PAYMENTS: 'sandbox',
        FFMPEG_PATH: tools.ffmpegPath,
        FFPROBE_PATH: tools.ffprobePath,
        ...overrides,
      };
    },
    start: (entry, environment) => start(entry, environment, cleanups),
  };
}

/** Only these variables are passed on: no setting of this shell may change a figure. */
function inheritedVariables(): Record<string, string> {
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
  const client = withErrorListener(new pg.Client({ connectionString: url }));
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}

/** Prints the last lines of the process if it does not become ready. If it ends later, the figure fails when it uses it. */
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
  return { pid: child.pid, stop: () => child.stop() };
}
