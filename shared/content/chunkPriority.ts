import type { Context } from '../platform/context.js';
import type { Transaction } from '../platform/database/database.js';
import { processing } from './processing.js';

/** The queue supports up to 2,097,151. A higher number runs later. */
const lowestPriority = 2_000_000;
/** Chunks of owners beyond their allowance have this priority or a lower one. All others have a higher one. */
const behindOthers = 1_000_000;

/** More contents of one owner that wait for their ingestion have equal turns. */
const maxCounted = 1_000;

/** Whose work it is, and in which queue and part of the queue. */
export interface QueuedWork {
  readonly ownerId: string;
  readonly quick: boolean;
  readonly isBehindOthers: boolean;
}

/**
 * Priority of the first chunk of a content; each further chunk has the next number (lower runs first).
 *
 * Start-time fair queueing per owner: a new content starts at the lowest number in the queue, or after the chunks that its
 * owner is waiting for. So a short video runs next however long the videos before it are, and the videos of two owners
 * alternate. Contents of owners beyond their allowance (`isBehindOthers`) do the same among themselves, after all others. Chunks of
 * quick generations have a queue of their own, with numbers of their own.
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

/** Priority of the chunk at `position`, where the first chunk of the content has `first`. */
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
 * Priority of the ingestion of a new content: contents of one owner come after the first ones of all others, so that an
 * owner who uploads a hundred files does not make everybody wait for them.
 */
export async function ingestionPriority(ctx: Context, tx: Transaction, ownerId: string): Promise<number> {
  const [row] = await ctx.db.rows<{ waiting: number }>(
    `SELECT count(*)::int AS waiting
       FROM (SELECT FROM contents WHERE owner_id = $ownerId AND generation = 1 AND plan IS NULL AND ${processing()} LIMIT $most) AS own`,
    { ownerId, most: maxCounted },
    tx,
  );
  return Math.min(lowestPriority, (row?.waiting ?? 0) + 1);
}
