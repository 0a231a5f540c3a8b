import type { Context } from '../platform/context.js';
import type { Transaction } from '../platform/database/database.js';
import { processing } from './processing.js';

/** The queue supports priorities up to 2,097,151. Higher numbers run later. */
const lowestPriority = 2_000_000;
/** First number for chunks of owners beyond their allowance. All other chunks have lower numbers and run earlier. */
const behindOthers = 1_000_000;

/** Further contents of one owner that wait for ingestion have equal priorities. */
const maxCounted = 1_000;

/** The owner of the work, its queue, and its part of the queue. */
export interface QueuedWork {
  readonly ownerId: string;
  readonly quick: boolean;
  readonly isBehindOthers: boolean;
}

/**
 * Priority of the first chunk of a content; each further chunk has the next number (lower numbers run first).
 *
 * Start-time fair queueing per owner: a new content starts at the lowest number in the queue, or after its owner's waiting
 * chunks. A short video therefore runs next, regardless of the length of the videos before it, and the videos of two owners
 * alternate. Contents of owners beyond their allowance (`isBehindOthers`) are queued in the same way after all others. Chunks
 * of quick generations have a separate queue with separate numbers.
 */
export async function firstPriority(
  ctx: Context,
  tx: Transaction,
  { ownerId, quick, isBehindOthers }: QueuedWork,
): Promise<number> {
  const ofPart = (column: string): string => `${column} BETWEEN $first AND $last`;
  const [row] = await ctx.db.rows<{ running: number | null; owned: number | null }>(
    `SELECT (SELECT k.priority FROM chunks k JOIN contents c ON c.id = k.content_id AND c.generation = k.generation
              WHERE k.state IN ('PENDING', 'RUNNING') AND k.quick = $quick AND c.quick = $quick AND ${ofPart('k.priority')}
                AND ${processing('c')}
              ORDER BY k.priority LIMIT 1) AS running,
            (SELECT max(last_priority) FROM contents
              WHERE owner_id = $ownerId AND quick = $quick AND ${ofPart('last_priority')} AND ${processing()}) AS owned`,
    { ownerId, quick, first: firstOf(isBehindOthers), last: lowestOf(isBehindOthers) },
    tx,
  );
  return nextPriority(row?.running ?? null, row?.owned ?? null, isBehindOthers);
}

/** `running`: the lowest number in the queue; `owned`: the highest number of the same owner. Null: none. */
export function nextPriority(running: number | null, owned: number | null, isBehindOthers = false): number {
  const first = firstOf(isBehindOthers);
  return Math.min(lowestOf(isBehindOthers), Math.max(first, running ?? first, (owned ?? 0) + 1));
}

/** Priority of the chunk at `position` of a content whose first chunk has the priority `first`. */
export function priorityAt(first: number, position: number): number {
  return Math.min(lowestOf(first >= behindOthers), first + position);
}

function firstOf(isBehindOthers: boolean): number {
  return isBehindOthers ? behindOthers : 1;
}

function lowestOf(isBehindOthers: boolean): number {
  return isBehindOthers ? lowestPriority : behindOthers - 1;
}

/**
 * Ingestion priority of a new content: each owner's first content runs before the further contents of any owner, so that a
 * hundred files of one owner do not delay everybody else.
 */
export async function ingestionPriority(ctx: Context, tx: Transaction, ownerId: string): Promise<number> {
  const [row] = await ctx.db.rows<{ waiting: number }>(
    `SELECT count(*)::int AS waiting
       FROM (SELECT FROM contents WHERE owner_id = $ownerId AND generation = 1 AND plan IS NULL AND ${processing()} LIMIT $maxCounted) AS own`,
    { ownerId, maxCounted },
    tx,
  );
  return Math.min(lowestPriority, (row?.waiting ?? 0) + 1);
}
