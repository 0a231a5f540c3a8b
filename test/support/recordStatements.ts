import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import type { Clock } from '../../shared/platform/systemClock.js';
import { keyOf, type RecordedStatement } from '../../tools/scale/recordedStatements.js';

/** A statement as the database layer passes it to the driver. No other code requests rows as arrays. */
interface SentStatement {
  readonly text: string;
  readonly values: readonly unknown[];
  readonly rowMode: 'array';
}

type Query = (...parameters: unknown[]) => unknown;

/** Stack traces name the sources, not the build. */
const root = fileURLToPath(new URL('../../../', import.meta.url));
/** The clocks of tests by database name. */
const clocks = new Map<string, Clock>();

/** Records times of statements as if the database's clock had not been advanced. */
export function noteClock(databaseUrl: string, clock: Clock): void {
  clocks.set(new URL(databaseUrl).pathname.slice(1), clock);
}

/** Deep enough for the calls from a handler to the driver. */
const stackDepth = 40;
const maxList = 10;
/** Larger values, such as batches of documents, are recorded by another test with fewer. */
const maxRecord = 200_000;

/**
 * Writes every statement that the service runs in this process to a file in `folder`, once per text and combination of NULL
 * values, for `npm run scale` to explain. Statements that a test itself runs are omitted.
 */
export function recordStatements(folder: string): void {
  const file = join(folder, `${process.pid}.jsonl`);
  const known = new Set<string>();
  const prototype = pg.Client.prototype as unknown as { query: Query };
  const { query } = prototype;
  prototype.query = function (this: unknown, ...parameters) {
    const [statement] = parameters;
    if (isSentStatement(statement)) note(statement, aheadOf(this as pg.Client));
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

function isSentStatement(statement: unknown): statement is SentStatement {
  return (
    typeof statement === 'object' && statement !== null && (statement as { rowMode?: unknown }).rowMode === 'array'
  );
}

/** How far the clock of a client's database is ahead of the machine's. */
function aheadOf({ database }: pg.Client): number {
  const clock = clocks.get(database ?? '');
  return clock ? clock.now().getTime() - Date.now() : 0;
}

/** The source line of the service that runs the current statement. Null: a test or a script runs it. */
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

/** The value as PostgreSQL reads it from JSON and text. Lists are truncated. */
function writable(value: unknown, aheadMilliseconds: number): unknown {
  if (value instanceof Date) return new Date(value.getTime() - aheadMilliseconds).toISOString();
  if (Array.isArray(value)) return value.slice(0, maxList).map((one) => writable(one, aheadMilliseconds));
  return Buffer.isBuffer(value) ? `\\x${value.toString('hex')}` : value;
}
