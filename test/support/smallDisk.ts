import { execFile } from 'node:child_process';
import { mkdtemp, rmdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** A real disk that becomes full. */
export interface SmallDisk {
  readonly folder: string;
  remove(): Promise<void>;
}

/** Mounts one of so many bytes. Skips the test where this user may not mount. */
export async function mountSmallDisk(test: Mocha.Context, bytes: number): Promise<SmallDisk> {
  const folder = await mkdtemp(join(process.env['TEST_RUN_DIR'] ?? tmpdir(), 'video-platform-disk-'));
  try {
    await run('mount', ['-t', 'tmpfs', '-o', `size=${bytes}`, 'tmpfs', folder]);
  } catch (error) {
    await rmdir(folder);
    console.error(`      skipped: a small disk cannot be mounted here (${(error as Error).message.trim()})`);
    test.skip();
  }
  return {
    folder,
    async remove() {
      await run('umount', ['--lazy', folder]);
      await rmdir(folder);
    },
  };
}
