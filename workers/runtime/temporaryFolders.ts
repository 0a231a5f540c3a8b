import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import type { Config } from '../../shared/platform/config.js';
import { createPrivateFolder } from '../../shared/platform/storage/fileAccess.js';
import { workFolder } from '../../shared/platform/storage/workFolder.js';
import { failureIn } from './fullDisk.js';

/**
 * Folders of other machines that share the parent folder are removed at this age, because the state of their processes is unknown.
 */
const foreignAgeMs = 24 * 3600_000;

/** `<host>~<pid>~<start of the process>~<random>`: identifies the process that owns a folder, even after a crash. */
const ownName = [hostname(), process.pid, startOf(process.pid) ?? 0, randomBytes(4).toString('hex')].join('~');

/** The folder of this process. After a crash another process removes it. */
export function processFolder(config: Config): string {
  return join(workFolder(config), ownName);
}

/**
 * Runs `work` with a new temporary folder, and removes the folder afterwards. Rejects with InsufficientStorageError if the disk was
 * full, instead of the resulting error.
 */
export async function withTemporaryFolder<Result>(
  config: Config,
  work: (folder: string) => Promise<Result>,
): Promise<Result> {
  const parent = processFolder(config);
  await createPrivateFolder(parent);
  const folder = await mkdtemp(join(parent, 'job-'));
  try {
    return await work(folder);
  } catch (error) {
    throw await failureIn(folder, error);
  } finally {
    await rm(folder, { recursive: true, force: true, maxRetries: 3 });
  }
}

/**
 * Removes the folders of processes that no longer run. An orphaned ffmpeg process (possible without `setpriv`, `killWithParent.ts`)
 * then fails, because it cannot open its next segment. Resolves with the number of folders removed.
 */
export async function sweepTemporaryFolders(config: Config, now: Date): Promise<number> {
  const root = workFolder(config);
  let removed = 0;
  for (const name of await readdir(root).catch(() => [] as string[])) {
    if (!(await isAbandoned(root, name, now))) continue;
    await rm(join(root, name), { recursive: true, force: true, maxRetries: 3 });
    removed += 1;
  }
  return removed;
}

async function isAbandoned(root: string, name: string, now: Date): Promise<boolean> {
  const [host, pid, start] = name.split('~');
  if (name === ownName) return false;
  if (host === hostname() && pid !== undefined) return startOf(Number(pid)) !== (Number(start) || 0);
  const age = await stat(join(root, name)).then(
    ({ mtimeMs }) => now.getTime() - mtimeMs,
    () => 0,
  );
  return age > foreignAgeMs;
}

/**
 * Start time of a running process, in ticks of the system. 0 if the system does not report it, null if the process does not run.
 */
function startOf(pid: number): number | null {
  try {
    process.kill(pid, 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EPERM') return null;
  }
  try {
    const status = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return Number(status.slice(status.lastIndexOf(')') + 2).split(' ')[19]);
  } catch {
    return 0;
  }
}
