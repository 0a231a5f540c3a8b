import { join } from 'node:path';
import type { Config } from '../config.js';
import { openDiskStorage } from './disk.js';
import { openS3Storage } from './s3.js';
import type { Storage } from './storage.js';

/** The store that the settings name. Nothing is created or connected before its first use. */
export function openStorage(config: Config): Storage {
  return config.s3 ? openS3Storage(config.s3) : openDiskStorage(join(config.dataDir, 'files'));
}
