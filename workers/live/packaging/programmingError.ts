const kinds = [TypeError, RangeError, ReferenceError, SyntaxError];

/**
 * Whether an error is a bug of this program, not a fault of a server, a file or the encoder. It would occur again at each attempt,
 * so it ends the run and is logged with its stack. The encoder reconnects, which begins another run.
 */
export function isProgrammingError(error: unknown): boolean {
  return kinds.some((kind) => error instanceof kind);
}
