import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { openDiskStorage } from '../../shared/platform/storage/disk.js';
import { createLogger } from '../../shared/platform/createLogger.js';
import { openS3Storage } from '../../shared/platform/storage/s3.js';
import type { Storage } from '../../shared/platform/storage/storage.js';
import { startS3 } from './s3.js';

/** A separate store of a test, and the settings for a service that uses it. */
export interface TestStore {
  readonly storage: Storage;
  /** Settings of a service that stores its files there; none for the disk, because each service has a separate folder. */
  readonly env: Readonly<Record<string, string>>;
  /** Stores files of one byte without `storage`: a thousand puts take seconds. */
  fill(keys: readonly string[]): Promise<void>;
  /** Keys of unfinished puts. */
  unfinished(): Promise<readonly string[]>;
  close(): Promise<void>;
}

/** Every kind of store; tests that use it run once for each. */
export const testStores: Readonly<Record<'disk' | 'S3', () => Promise<TestStore>>> = {
  async disk() {
    const root = await mkdtemp(join(tmpdir(), 'video-platform-disk-'));
    return {
      storage: openDiskStorage(root),
      env: {},
      async fill(keys) {
        for (const path of keys.map((key) => join(root, key))) {
          await mkdir(dirname(path), { recursive: true });
          await writeFile(path, 'x');
        }
      },
      unfinished: () => readdir(join(root, '.unfinished')).catch(() => []),
      close: () => rm(root, { recursive: true, force: true }),
    };
  },
  async S3() {
    const s3 = await startS3('somewhere/in/');
    return {
      storage: openS3Storage(s3.settings, createLogger({ process: 'test', level: 'silent' })),
      env: s3.env,
      fill: (keys) => s3.fill(keys),
      unfinished: () => s3.unfinished(),
      close: () => s3.close(),
    };
  },
};
