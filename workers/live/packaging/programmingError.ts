const kinds = [TypeError, RangeError, ReferenceError, SyntaxError];

/**
 * Whether an error is one of our own code, and not of a server, a file or the encoder. It would come again for ever, so it
 * ends the run, and is logged with its place: the encoder connects again, and the next run begins.
 */
export function isProgrammingError(error: unknown): boolean {
  return kinds.some((kind) => error instanceof kind);
}
