import { spawnSync } from 'node:child_process';

/**
 * `setpriv` of util-linux (2.33 or later, Linux only) makes the kernel kill a process when its parent ends, in whatever way
 * it ends: prctl(2), PR_SET_PDEATHSIG. It replaces itself by the next program, so there is no process in between.
 */
const killWithParent = ['setpriv', '--pdeathsig', 'KILL'] as const;

/** The kernel sends no signal for a parent that ended before prctl(2): then the program is not started. `$0` is the parent. */
const unlessOrphaned = ['sh', '-c', '[ "$PPID" = "$0" ] && exec "$@"'] as const;

let available: boolean | undefined;

/** The command line of a program that ends with this process. Without `setpriv` (checked at the first call), the program alone. */
export function killedWithParent(path: string): readonly [string, ...string[]] {
  const command = [...killWithParent, ...unlessOrphaned, String(process.pid)] as const;
  available ??= process.platform === 'linux' && spawnSync(command[0], [...command.slice(1), 'true']).status === 0;
  return available ? [...command, path] : [path];
}
