import type { Config } from '../config.js';
import { storageFolder } from '../storage/openStorage.js';
import { workFolder } from '../storage/workFolder.js';

/** The folders that a process fills: those of the storage, where it is on disk, and of a worker's work in progress. */
export function usedFolders(config: Config): { readonly storage?: string; readonly work?: string } {
  return {
    ...(config.s3 ? {} : { storage: storageFolder(config) }),
    ...(config.process === 'worker' ? { work: workFolder(config) } : {}),
  };
}
