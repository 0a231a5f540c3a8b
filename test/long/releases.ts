import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { projectFile } from '../support/projectFile.js';
import { revisionBefore } from '../support/requirements.js';

const run = promisify(execFile);
const root = dirname(projectFile('package.json'));

/** A built release of this project. */
export interface BuiltRelease {
  /** Its folder `dist`. */
  readonly build: string;
  /** `node dist/scripts/migrate.js`. */
  migrate(env: Readonly<Record<string, string>>): Promise<void>;
  close(): Promise<void>;
}

/** The current sources, which are built because a test runs. */
export function thisRelease(): BuiltRelease {
  return builtIn(root, async () => {});
}

/**
 * The newest commit with another schema: the one before the newest migration. Installed and built in a new folder, as
 * `docs/deploy.md` describes.
 */
export async function buildReleaseBefore(): Promise<BuiltRelease> {
  const revision = revisionBefore();
  if (revision === null) throw new Error('the git history is missing');
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
