import { execFile } from 'node:child_process';
import { availableParallelism, cpus, totalmem } from 'node:os';
import { promisify } from 'node:util';
import pg from 'pg';
import { withErrorListener } from '../../shared/platform/errorListener.js';

const run = promisify(execFile);

/** What a reader needs to judge absolute figures; never a path or the name of the machine. */
export async function describeMachine(ffmpegPath: string, databaseUrl: string): Promise<string> {
  const [model = 'unknown processor'] = cpus().map((cpu) => cpu.model.trim());
  const parts = [
    `${availableParallelism()} cores (${model})`,
    `${Math.round(totalmem() / 1024 ** 3)} GB of memory`,
    `${process.platform} ${process.arch}`,
    `Node ${process.versions.node}`,
    `ffmpeg ${/^ffmpeg version (\S+)/.exec((await run(ffmpegPath, ['-version'])).stdout)?.[1] ?? 'unknown'}`,
    `PostgreSQL ${await serverVersion(databaseUrl)}`,
  ];
  return parts.join(', ');
}

async function serverVersion(databaseUrl: string): Promise<string> {
  const client = withErrorListener(new pg.Client({ connectionString: databaseUrl }));
  await client.connect();
  try {
    const { rows } = await client.query<{ server_version: string }>('SHOW server_version');
    return rows[0]?.server_version ?? 'unknown';
  } finally {
    await client.end();
  }
}
