import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { projectFile } from './projectFile.js';

const run = promisify(execFile);

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
  return builtIn(dirname(projectFile('package.json')), async () => {});
}

/**
 * The newest commit whose schema is another one: the one before the newest migration. In a folder of its own, installed and
 * built as `docs/deploy.md` says. Null where the history of the sources is not there.
 */
export async function buildReleaseBefore(): Promise<BuiltRelease | null> {
  const root = dirname(projectFile('package.json'));
  const git = async (...parameters: string[]): Promise<string> =>
    (await run('git', parameters, { cwd: root })).stdout.trim();
  const newest = await git('log', '-1', '--format=%H', '--', 'scripts/migrations/index.ts').catch(() => '');
  const revision = await git('rev-parse', '--verify', '--quiet', `${newest}^`).catch(() => null);
  if (newest === '' || revision === null) return null;
  const folder = await mkdtemp(join(tmpdir(), 'video-platform-release-'));
  const close = (): Promise<void> => rm(folder, { recursive: true, force: true });
  try {
    await git('archive', '--output', join(folder, 'release.tar'), revision);
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
