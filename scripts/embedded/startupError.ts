/** Something a person has to put right first. Its message is one line that says what; it is shown without a stack. */
export class StartupError extends Error {}

/** Ends the process over what `main` could not do: one line where it is a Refusal, everything there is otherwise. */
export function exitWithError(error: unknown): never {
  console.error(error instanceof StartupError ? error.message : error);
  process.exit(1);
}
