import type { MediaRun } from '../media/runner.js';
import type { WorkerContext } from '../runtime/workerContext.js';

/** Where an attempt works: a folder of this machine, and the storage folder that no other attempt writes to. */
export interface PreparationWork {
  readonly ctx: WorkerContext;
  readonly folder: string;
  readonly storageFolder: string;
  readonly run: MediaRun;
}
