import { spawnSync } from 'node:child_process';
import { chownSync, readFileSync, statSync } from 'node:fs';
import { userInfo } from 'node:os';
import { StartupError } from './startupError.js';

/** Whom PostgreSQL runs as. `ids` is empty where that is who we are. */
export interface Account {
  readonly name: string;
  readonly ids: { readonly uid: number; readonly gid: number } | Record<string, never>;
}

/** Accounts that systems have already; none is ever created. */
const candidates = ['postgres', 'nobody', 'daemon'];

/**
 * PostgreSQL refuses to run as root: then it runs as an account without privileges, the one that `folder` belongs to
 * if there is such a folder. Else it runs as who we are.
 */
export function unprivilegedAccount(folder?: string): Account {
  if (process.getuid?.() !== 0) return { name: userInfo().username, ids: {} };
  const known = accounts();
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
    `PostgreSQL does not run as root, and there is none of the accounts ${candidates.join(', ')}: set DATABASE_URL, or start as another user.`,
  );
}

function accounts(): { name: string; ids: { uid: number; gid: number } }[] {
  return readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .map((line) => line.split(':'))
    .map(([name = '', , uid, gid]) => ({ name, ids: { uid: Number(uid), gid: Number(gid) } }));
}

/** Whether we are root and have to hand things over to the account. */
export function isHandedOver(account: Account): boolean {
  return 'uid' in account.ids;
}

/** Gives a folder or file to the account. */
export function giveTo(account: Account, path: string): void {
  if ('uid' in account.ids) chownSync(path, account.ids.uid, account.ids.gid);
}

/** Whether the account gets through to every path with the right asked for: tried, not computed. */
export function reaches(account: Account, right: 'read' | 'write' | 'run', paths: readonly string[]): boolean {
  const flag = { read: '-r', write: '-w', run: '-x' }[right];
  const script = `for path; do test ${flag} "$path" || exit 1; done`;
  return spawnSync('/bin/sh', ['-c', script, 'reaches', ...paths], { cwd: '/', ...account.ids }).status === 0;
}
