/** One change of the schema, listed in `index.ts` in the order of names. */
export interface Migration {
  readonly name: string;
  /** SQL statements that run in one transaction. */
  readonly up: string;
}
