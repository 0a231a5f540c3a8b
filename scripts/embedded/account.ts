import { spawnSync } from 'node:child_process';
import { chmodSync, chownSync, mkdirSync, mkdtempSync, readFileSync, statSync } from 'node:fs';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { StartupError } from './startupError.js';

/** The account that PostgreSQL runs as. `ids` is null if it is the account of this process. */
export interface SystemAccount {
  readonly name: string;
  readonly ids: { readonly uid: number; readonly gid: number } | null;
}

/** Accounts that exist on most systems. None is ever created. */
const candidates = ['postgres', 'nobody', 'daemon'];

/** Used if PostgreSQL's account cannot enter the folders of root, which starts it. */
const systemFolder = process.platform === 'darwin' ? '/usr/local/var/video-platform' : '/var/lib/video-platform';

/**
 * PostgreSQL refuses to run as root. If this process is root, the account is the owner of `folder` if the folder exists and does
 * not belong to root, otherwise the first existing one of `candidates`. Otherwise it is the account of this process.
 */
export function serverAccount(folder?: string): SystemAccount {
  if (process.getuid?.() !== 0) return { name: userInfo().username, ids: null };
  const known = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .map((line) => line.split(':'))
    .map(([name = '', , uid, gid]) => ({ name, ids: { uid: Number(uid), gid: Number(gid) } }));
  const owner = folder ? statSync(folder, { throwIfNoEntry: false }) : undefined;
  if (owner && owner.uid !== 0) {
    const name = known.find(({ ids }) => ids.uid === owner.uid)?.name ?? String(owner.uid);
    return { name, ids: { uid: owner.uid, gid: owner.gid } };
  }
  for (const name of candidates) {
    const account = known.find((one) => one.name === name && one.ids.uid !== 0);
    if (account) return account;
  }
  throw new StartupError(
    `PostgreSQL does not run as root, and none of the accounts ${candidates.join(', ')} exists: set DATABASE_URL, or start as another user.`,
  );
}

/** Makes the account the owner of a folder. */
export function giveTo({ ids }: SystemAccount, path: string): void {
  if (ids) chownSync(path, ids.uid, ids.gid);
}

/** Whether a program succeeds as the account. Permissions on a path are tested by use, not computed. */
export function succeedsAs({ ids }: SystemAccount, program: string, ...parameters: string[]): boolean {
  return spawnSync(program, parameters, { cwd: '/', stdio: 'ignore', ...ids }).status === 0;
}

export function canWrite(account: SystemAccount, folder: string): boolean {
  return succeedsAs(account, 'test', '-w', folder);
}

/** A new folder of the account under the system folder. */
export function createSystemFolder(account: SystemAccount, prefix: string): string {
  const folder = mkdtempSync(join(openSystemFolder(), prefix));
  giveTo(account, folder);
  return folder;
}

/** Creates the system folder, readable by everybody regardless of the umask. Its subfolders are private. */
export function openSystemFolder(): string {
  mkdirSync(systemFolder, { recursive: true });
  chmodSync(systemFolder, 0o755);
  return systemFolder;
}
