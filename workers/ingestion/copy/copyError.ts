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
