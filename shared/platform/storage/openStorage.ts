import { join } from 'node:path';
import type { Config } from '../config.js';
import type { Logger } from '../log.js';
import { openDiskStorage } from './disk.js';
import type { Storage } from './storage.js';

/** For storage on disk. */
export function storageFolder({ dataDir }: Pick<Config, 'dataDir'>): string {
  return join(dataDir, 'files');
}

/**
 * Opens the store that the settings name. Nothing is created or connected before its first use. The S3 client is loaded only if
 * it is used, because loading takes a sixth of the CPU time of a process start.
 */
export async function openStorage(config: Config, log: Logger): Promise<Storage> {
  if (!config.s3) return openDiskStorage(storageFolder(config));
  const { openS3Storage } = await import('./s3.js');
  return openS3Storage(config.s3, log);
}
