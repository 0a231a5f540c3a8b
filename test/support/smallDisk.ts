import { execFile } from 'node:child_process';
import { mkdtemp, open, rmdir, truncate } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { freeBytesOf } from '../../shared/platform/storage/freeSpace.js';

const run = promisify(execFile);

/** A mounted disk that can be filled. */
export interface SmallDisk {
  readonly folder: string;
  /** Fills the disk, except for `bytes`. Default: 0. */
  fill(leftBytes?: number): Promise<void>;
  /** Removes the file of `fill`. */
  empty(): Promise<void>;
  remove(): Promise<void>;
}

/** Mounts a disk of this size, at an existing or a new folder. Tests that mount one are declared with `requirements.mount`. */
export async function mountSmallDisk(bytes: number, at?: string): Promise<SmallDisk> {
  const folder = at ?? (await mkdtemp(join(process.env['TEST_RUN_DIR'] ?? tmpdir(), 'video-platform-disk-')));
  const ballast = join(folder, 'ballast');
  await run('mount', ['-t', 'tmpfs', '-o', `size=${bytes}`, 'tmpfs', folder]);
  return {
    folder,
    async fill(leftBytes = 0) {
      const file = await open(ballast, 'w');
      await file.write(Buffer.alloc(Math.max(0, (await freeBytesOf(folder)) - leftBytes)));
      await file.close();
    },
    empty: () => truncate(ballast),
    async remove() {
      await run('umount', ['--lazy', folder]);
      if (!at) await rmdir(folder);
    },
  };
}
