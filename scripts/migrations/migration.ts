/** One step of the schema. Listed in `index.ts`, in the order of names. */
export interface Migration {
  readonly name: string;
  /** Statements, run in one transaction. */
  readonly up: string;
}
