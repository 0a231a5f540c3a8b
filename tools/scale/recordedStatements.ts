import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** A statement of the service that a test has run. */
export interface RecordedStatement {
  readonly text: string;
  /** Untyped values, which the server parses from text; arrays are arrays. */
  readonly values: readonly unknown[];
  /** The position in the code that ran it, outside the database layer: `shared/box/box.queries.ts:30`. */
  readonly from: string;
}

/** The statements that the processes of a test run have written to a folder: each text once for each combination of null values. */
export async function readStatements(folder: string): Promise<RecordedStatement[]> {
  const statements = new Map<string, RecordedStatement>();
  for (const file of (await readdir(folder)).filter((name) => name.endsWith('.jsonl'))) {
    for (const line of (await readFile(join(folder, file), 'utf8')).trim().split('\n')) {
      const statement = JSON.parse(line) as RecordedStatement;
      const key = keyOf(statement);
      if (!statements.has(key)) statements.set(key, statement);
    }
  }
  return [...statements.values()].sort((one, other) => one.from.localeCompare(other.from));
}

/** A key that is equal for statements with the same plan, regardless of their values. */
export function keyOf({ text, values }: Pick<RecordedStatement, 'text' | 'values'>): string {
  return text + values.map((value) => (value === null ? 'n' : 'v')).join('');
}
