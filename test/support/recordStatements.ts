import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import type { Clock } from '../../shared/platform/systemClock.js';
import { keyOf, type RecordedStatement } from '../../tools/scale/recordedStatements.js';

/** A statement as the database layer gives it to the driver: nobody else asks for rows as arrays. */
interface SentStatement {
  readonly text: string;
  readonly values: readonly unknown[];
  readonly rowMode: 'array';
}

type Query = (...parameters: unknown[]) => unknown;

/** Stacks name the sources, not what is built of them. */
const root = fileURLToPath(new URL('../../../', import.meta.url));
/** The clocks of tests, by the names of their databases. */
const clocks = new Map<string, Clock>();

/** Times of the statements of a database are recorded as if its clock had not been moved. */
export function noteClock(databaseUrl: string, clock: Clock): void {
  clocks.set(new URL(databaseUrl).pathname.slice(1), clock);
}

/** Enough for the calls from a handler to the driver. */
const stackDepth = 40;
const maxList = 10;
/** Larger values, such as batches of documents, are recorded by another test that has fewer. */
const maxRecord = 200_000;

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
    if (isGiven(given)) note(given, aheadOf(this as pg.Client));
    return query.apply(this, parameters);
  };
  function note({ text, values }: SentStatement, aheadMilliseconds: number): void {
    const key = keyOf({ text, values });
    if (known.has(key)) return;
    const from = callerOf();
    if (from === null) return;
    known.add(key);
    const recorded: RecordedStatement = {
      text,
      values: values.map((value) => writable(value, aheadMilliseconds)),
      from,
    };
    const line = JSON.stringify(recorded);
    if (line.length < maxRecord) appendFileSync(file, `${line}\n`);
  }
}

function isGiven(given: unknown): given is SentStatement {
  return typeof given === 'object' && given !== null && (given as { rowMode?: unknown }).rowMode === 'array';
}

/** How far the clock of the database of a client is ahead of the machine's. */
function aheadOf({ database }: pg.Client): number {
  const clock = clocks.get(database ?? '');
  return clock ? clock.now().getTime() - Date.now() : 0;
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
    return /^(?:test|scripts|tools)\//.test(place) ? null : place;
  }
  return null;
}

/** As the server reads it from JSON and text. What is asked of each of many ids is asked of the first. */
function writable(value: unknown, aheadMilliseconds: number): unknown {
  if (value instanceof Date) return new Date(value.getTime() - aheadMilliseconds).toISOString();
  if (Array.isArray(value)) return value.slice(0, maxList).map((one) => writable(one, aheadMilliseconds));
  return Buffer.isBuffer(value) ? `\\x${value.toString('hex')}` : value;
}
