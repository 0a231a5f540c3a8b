import type { MediaRun } from '../media/index.js';
import type { WorkerContext } from '../runtime/workerContext.js';

/** Where an attempt works: a folder of this machine, and the storage folder that no other attempt writes to. */
export interface PreparationWork {
  readonly ctx: WorkerContext;
  readonly folder: string;
  readonly storageFolder: string;
  readonly run: MediaRun;
}

/** A cut or slate cannot be made; a further attempt would fail in the same way. The message is for operators. */
export class PreparationFault extends Error {
  override readonly name = 'PreparationFault';
}
