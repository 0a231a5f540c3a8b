import { join } from 'node:path';
import type { Config } from '../config.js';
import type { Logger } from '../log.js';
import { openDiskStorage } from './disk.js';
import type { Storage } from './storage.js';

/** Of a storage on disk. */
export function storageFolder({ dataDir }: Pick<Config, 'dataDir'>): string {
  return join(dataDir, 'files');
}

/**
 * The store that the settings name. Nothing is created or connected before its first use. The client of S3 is loaded only
 * where it is used: it is a sixth of the CPU time that a process takes to start.
 */
export async function openStorage(config: Config, log: Logger): Promise<Storage> {
  if (!config.s3) return openDiskStorage(storageFolder(config));
  const { openS3Storage } = await import('./s3.js');
  return openS3Storage(config.s3, log);
}
