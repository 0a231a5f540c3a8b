import { accessSync, constants, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { identityOf } from './processes.js';
import { StartupError } from './startupError.js';

/**
 * Makes the data folder if it is not there, and claims it for this process until `release`. Two starts in one folder
 * would end each other's database.
 */
export function claimDataFolder(dataDir: string): { release(): void } {
  const claim = claimOf(dataDir);
  try {
    // Others may pass through (PostgreSQL's account, a web server that sends files) but not look around.
    makeFolder(dataDir);
    accessSync(dataDir, constants.W_OK | constants.X_OK);
    requireUnclaimed(dataDir);
    writeFileSync(claim, JSON.stringify({ pid: process.pid, identity: identityOf(process.pid) }), { mode: 0o644 });
  } catch (error) {
    if (error instanceof StartupError) throw error;
    const { code, message } = error as NodeJS.ErrnoException;
    throw new StartupError(
      `The data folder ${dataDir} cannot be written to (${code ?? message}): set DATA_DIR to one that can.`,
    );
  }
  return { release: () => rmSync(claim, { force: true }) };
}

/** Node's own `recursive` never ends where a folder cannot hold another (/proc). */
function makeFolder(path: string): void {
  if (existsSync(path)) return;
  makeFolder(dirname(path));
  mkdirSync(path, { mode: 0o711 });
}

function requireUnclaimed(dataDir: string): void {
  const pid = claimingProcess(dataDir);
  if (pid !== null && pid !== process.pid) {
    throw new StartupError(`The data folder ${dataDir} is in use by process ${pid}: stop that first, or set DATA_DIR.`);
  }
}

/** The live process that has claimed the folder; a claim that a crash has left behind counts for nothing. */
export function claimingProcess(dataDir: string): number | null {
  try {
    const { pid, identity } = JSON.parse(readFileSync(claimOf(dataDir), 'utf8')) as { pid: number; identity: string };
    return identityOf(pid) === identity ? pid : null;
  } catch {
    return null;
  }
}

function claimOf(dataDir: string): string {
  return join(dataDir, 'start.json');
}
