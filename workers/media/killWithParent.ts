import { spawnSync } from 'node:child_process';

/**
 * `setpriv` of util-linux (2.33 or later, Linux only) makes the kernel kill a process when its parent ends, in whatever way
 * it ends: prctl(2), PR_SET_PDEATHSIG. It replaces itself by the program, so there is no process in between.
 */
const killWithParent = ['setpriv', '--pdeathsig', 'KILL'] as const;

let available: boolean | undefined;

/** The command line of a program that ends with this process. Without `setpriv` (checked at the first call), the program alone. */
export function killedWithParent(path: string): readonly [string, ...string[]] {
  available ??=
    process.platform === 'linux' &&
    spawnSync(killWithParent[0], [...killWithParent.slice(1), 'true'], { stdio: 'ignore' }).status === 0;
  return available ? [...killWithParent, path] : [path];
}
