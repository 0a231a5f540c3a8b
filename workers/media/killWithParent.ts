import { spawnSync } from 'node:child_process';

/**
 * util-linux's way (2.33 or later, Linux alone) to have the kernel kill a process together with the one that started it,
 * in whatever way that one dies: prctl(2), PR_SET_PDEATHSIG. It becomes the tool itself, so there is no process between.
 */
const killWithParent = ['setpriv', '--pdeathsig', 'KILL'] as const;

let available: boolean | undefined;

/** The command line of a tool that dies with us; on systems without such means, seen at the first call, the tool alone. */
export function killedWithParent(path: string): readonly [string, ...string[]] {
  available ??=
    process.platform === 'linux' &&
    spawnSync(killWithParent[0], [...killWithParent.slice(1), 'true'], { stdio: 'ignore' }).status === 0;
  return available ? [...killWithParent, path] : [path];
}
