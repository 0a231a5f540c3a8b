import type { Config } from '../config.js';
import { storageFolder } from '../storage/openStorage.js';
import { workFolder } from '../storage/workFolder.js';

/** The folders that a process writes to: the storage, if it is on disk, and the work folder of a worker. */
export function usedFolders(config: Config): { readonly storage?: string; readonly work?: string } {
  return {
    ...(config.s3 ? {} : { storage: storageFolder(config) }),
    ...(config.process === 'worker' ? { work: workFolder(config) } : {}),
  };
}
