/** A problem that the user has to solve. The message is one line, printed without a stack. */
export class StartupError extends Error {}

/** Prints the error (one line if it is a StartupError) and exits with 1. */
export function exitWithError(error: unknown): never {
  console.error(error instanceof StartupError ? error.message : error);
  process.exit(1);
}
