import type { CopyRefusal } from './copyRefusal.js';

/** The source cannot be copied; it is encoded instead. The message is for the log. */
export class CopyError extends Error {
  constructor(
    message: string,
    readonly refusal: CopyRefusal = 'copy',
  ) {
    super(message);
  }
}

/** Not every player can play the audio of the source. The initialisation segment tells so, before any segment is handed over. */
export class AudioNotPlainError extends CopyError {}
