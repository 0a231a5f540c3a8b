import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { keyOf, type RecordedStatement } from '../../scripts/scale/recordedStatements.js';

/** A statement as the database layer gives it to the driver: nobody else asks for rows as arrays. */
interface GivenStatement {
  readonly text: string;
  readonly values: readonly unknown[];
  readonly rowMode: 'array';
}

type Query = (...parameters: unknown[]) => unknown;

/** Stacks name the sources, not what is built of them. */
const root = fileURLToPath(new URL('../../../', import.meta.url));
/** How far the clock of the present test is ahead of the machine's. */
let aheadMilliseconds = 0;

/** Times of a statement are recorded as if the clock of the test had not been moved. */
export function noteClockMoved(milliseconds: number): void {
  aheadMilliseconds = milliseconds;
}

/** Enough for the calls from a handler to the driver. */
const stackDepth = 40;
const longestList = 10;
/** Larger values, such as batches of documents, are recorded by another test that has fewer. */
const longestRecord = 200_000;

/**
 * Writes every statement that the service runs in this process to a file in `folder`, once for each text and each choice of
 * values that are null: what `npm run scale` explains. Statements that a test itself runs are left out.
 */
export function recordStatements(folder: string): void {
  const file = join(folder, `${process.pid}.jsonl`);
  const known = new Set<string>();
  const prototype = pg.Client.prototype as unknown as { query: Query };
  const { query } = prototype;
  prototype.query = function (this: unknown, ...parameters) {
    const [given] = parameters;
    if (isGiven(given)) note(given);
    return query.apply(this, parameters);
  };
  function note({ text, values }: GivenStatement): void {
    const key = keyOf({ text, values });
    if (known.has(key)) return;
    const from = callerOf();
    if (from === null) return;
    known.add(key);
    const recorded: RecordedStatement = { text, values: values.map(writable), from };
    const line = JSON.stringify(recorded);
    if (line.length < longestRecord) appendFileSync(file, `${line}\n`);
  }
}

function isGiven(given: unknown): given is GivenStatement {
  return typeof given === 'object' && given !== null && (given as { rowMode?: unknown }).rowMode === 'array';
}

/** The place in the service that runs the present statement. Null: a test or a script does. */
function callerOf(): string | null {
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = stackDepth;
  const stack = new Error().stack ?? '';
  Error.stackTraceLimit = stackTraceLimit;
  for (const line of stack.split('\n')) {
    const at = line.indexOf(root);
    if (at < 0) continue;
    const place = line.slice(at + root.length).replace(/:\d+\)?$/, '');
    if (place.startsWith('node_modules/')) continue;
    if (place.startsWith('shared/platform/database/') || place.startsWith('test/support/recordStatements')) continue;
    return place.startsWith('test/') || place.startsWith('scripts/') ? null : place;
  }
  return null;
}

/** As the server reads it from JSON and text. What is asked of each of many ids is asked of the first. */
function writable(value: unknown): unknown {
  if (value instanceof Date) return new Date(value.getTime() - aheadMilliseconds).toISOString();
  if (Array.isArray(value)) return value.slice(0, longestList).map(writable);
  return Buffer.isBuffer(value) ? `\\x${value.toString('hex')}` : value;
}
