import { execFile, execFileSync } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { projectFile } from './projectFile.js';

const run = promisify(execFile);
const root = dirname(projectFile('package.json'));

/** A release of this project, built. */
export interface BuiltRelease {
  /** Its folder `dist`. */
  readonly build: string;
  /** `node dist/scripts/migrate.js`. */
  migrate(env: Readonly<Record<string, string>>): Promise<void>;
  close(): Promise<void>;
}

/** The sources as they are. They are built already: a test runs. */
export function thisRelease(): BuiltRelease {
  return builtIn(root, async () => {});
}

/** Null: the history of the sources is not there. */
export function revisionBefore(): string | null {
  const git = (...parameters: string[]): string =>
    execFileSync('git', parameters, { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim();
  try {
    const newest = git('log', '-1', '--format=%H', '--', 'scripts/migrations/index.ts');
    return git('rev-parse', '--verify', '--quiet', `${newest}^`);
  } catch {
    return null;
  }
}

/**
 * The newest commit whose schema is another one: the one before the newest migration. In a folder of its own, installed and
 * built as `docs/deploy.md` says.
 */
export async function buildReleaseBefore(): Promise<BuiltRelease> {
  const revision = revisionBefore();
  if (revision === null) throw new Error('the history of the sources is missing');
  const folder = await mkdtemp(join(tmpdir(), 'video-platform-release-'));
  const close = (): Promise<void> => rm(folder, { recursive: true, force: true });
  try {
    await run('git', ['archive', '--output', join(folder, 'release.tar'), revision], { cwd: root });
    await run('tar', ['-xf', 'release.tar'], { cwd: folder });
    await run('npm', ['ci', '--ignore-scripts', '--prefer-offline', '--no-audit', '--no-fund'], { cwd: folder });
    await run('npm', ['run', 'build'], { cwd: folder });
  } catch (error) {
    await close();
    throw error;
  }
  return builtIn(folder, close);
}

function builtIn(folder: string, close: () => Promise<void>): BuiltRelease {
  return {
    build: join(folder, 'dist'),
    async migrate(env) {
      const options = { cwd: folder, env: { PATH: process.env['PATH'], ...env } };
      await run(process.execPath, ['dist/scripts/migrate.js'], options);
    },
    close,
  };
}
