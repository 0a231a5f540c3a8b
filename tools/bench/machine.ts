import { execFile } from 'node:child_process';
import { availableParallelism, cpus, totalmem } from 'node:os';
import { promisify } from 'node:util';
import { onServer } from './benchContext.js';

const run = promisify(execFile);

/** The machine's properties that affect absolute figures; never a path or the machine's name. */
export async function describeMachine(ffmpegPath: string, databaseUrl: string): Promise<string> {
  const [model = 'unknown processor'] = cpus().map((cpu) => cpu.model.trim());
  const parts = [
    `${availableParallelism()} cores (${model})`,
    `${Math.round(totalmem() / 1024 ** 3)} GB of memory`,
    `${process.platform} ${process.arch}`,
    `Node ${process.versions.node}`,
    `ffmpeg ${/^ffmpeg version (\S+)/.exec((await run(ffmpegPath, ['-version'])).stdout)?.[1] ?? 'unknown'}`,
    `PostgreSQL ${(await onServer(databaseUrl, 'SHOW server_version'))?.['server_version']}`,
  ];
  return parts.join(', ');
}
