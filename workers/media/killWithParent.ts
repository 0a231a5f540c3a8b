import { spawnSync } from 'node:child_process';

/**
 * `setpriv` of util-linux (2.33 or later, Linux only) makes the kernel kill a process when its parent ends for any reason:
 * prctl(2), PR_SET_PDEATHSIG. It executes the next program in its own process, so there is no process in between.
 */
const killWithParent = ['setpriv', '--pdeathsig', 'KILL'] as const;

/** Does not start the program if the parent ended before prctl(2), because the kernel then sends no signal. `$0` is the parent. */
const unlessOrphaned = ['sh', '-c', '[ "$PPID" = "$0" ] && exec "$@"'] as const;

let available: boolean | undefined;

/**
 * The command line of a program that is killed with this process. Only the program if there is no `setpriv`, which the first call
 * checks.
 */
export function killedWithParent(path: string): readonly [string, ...string[]] {
  const command = [...killWithParent, ...unlessOrphaned, String(process.pid)] as const;
  available ??= process.platform === 'linux' && spawnSync(command[0], [...command.slice(1), 'true']).status === 0;
  return available ? [...command, path] : [path];
}
