import { accessSync, constants, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { identityOf } from './processes.js';
import { StartupError } from './startupError.js';

interface Claim {
  readonly pid: number;
  /** Identity of the process that claimed the folder: see `identityOf`. */
  readonly identity: string;
}

/**
 * Creates the data folder if it does not exist, and claims it for this process until `release`: two instances in one folder would
 * stop each other's database.
 *
 * @throws StartupError if another process has claimed it, or it cannot be written to.
 */
export function claimDataFolder(dataDir: string): { release(): void } {
  const path = claimPath(dataDir);
  try {
    createFolder(dataDir);
    accessSync(dataDir, constants.W_OK | constants.X_OK);
    const pid = claimingProcess(dataDir);
    if (pid !== null && pid !== process.pid) {
      throw new StartupError(
        `The data folder ${dataDir} is in use by process ${pid}: stop this process first, or set DATA_DIR.`,
      );
    }
    const claim: Claim = { pid: process.pid, identity: identityOf(process.pid) ?? '' };
    writeFileSync(path, JSON.stringify(claim), { mode: 0o644 });
  } catch (error) {
    if (error instanceof StartupError) throw error;
    const { code, message } = error as NodeJS.ErrnoException;
    throw new StartupError(
      `The data folder ${dataDir} is not writable (${code ?? message}): set DATA_DIR to a writable folder.`,
    );
  }
  return { release: () => rmSync(path, { force: true }) };
}

/**
 * The mode permits other accounts (PostgreSQL's, a web server's) to enter the folder but not to list it. Node's `recursive` option
 * never returns if folders cannot be created (/proc).
 */
function createFolder(path: string): void {
  if (existsSync(path)) return;
  createFolder(dirname(path));
  mkdirSync(path, { mode: 0o711 });
}

/** The pid of the running process that has claimed the folder; the claim of a crashed process is ignored. */
export function claimingProcess(dataDir: string): number | null {
  try {
    const { pid, identity } = JSON.parse(readFileSync(claimPath(dataDir), 'utf8')) as Claim;
    return identityOf(pid) === identity ? pid : null;
  } catch {
    return null;
  }
}

function claimPath(dataDir: string): string {
  return join(dataDir, 'start.json');
}
