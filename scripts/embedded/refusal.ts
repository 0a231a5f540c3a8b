/** Something a person has to put right first. Its message is one line that says what; it is shown without a stack. */
export class Refusal extends Error {}

/** Ends the process over what `main` could not do: one line where it is a Refusal, everything there is otherwise. */
export function endOver(error: unknown): never {
  console.error(error instanceof Refusal ? error.message : error);
  process.exit(1);
}
