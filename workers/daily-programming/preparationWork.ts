import type { MediaRun } from '../media/index.js';
import type { WorkerContext } from '../runtime/workerContext.js';

/** The folders of an attempt: one on this machine, and a storage folder that no other attempt writes to. */
export interface PreparationWork {
  readonly ctx: WorkerContext;
  readonly folder: string;
  readonly storageFolder: string;
  readonly run: MediaRun;
}

/** A cut or slate cannot be encoded; a further attempt would fail in the same way. The message is for operators. */
export class PreparationFault extends Error {
  override readonly name = 'PreparationFault';
}
