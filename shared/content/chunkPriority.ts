import type { Context } from '../platform/context.js';
import type { Transaction } from '../platform/database/database.js';
import { processing } from './processing.js';

/** The queue supports up to 2,097,151. A higher number runs later. */
const lowestPriority = 2_000_000;

/**
 * Priority of the first chunk of a content; each further chunk has the next number (lower runs first).
 *
 * Start-time fair queueing per owner: a new content starts at the lowest number in the queue, or after the chunks that its
 * owner is waiting for. So a short video runs next however long the videos before it are, and the videos of two owners
 * alternate.
 */
export async function firstPriority(ctx: Context, tx: Transaction, ownerId: string): Promise<number> {
  const [row] = await ctx.db.rows<{ running: number | null; owned: number | null }>(
    `SELECT min(k.priority) AS running, max(k.priority) FILTER (WHERE c.owner_id = $ownerId) AS owned
       FROM chunks k JOIN contents c ON c.id = k.content_id AND c.generation = k.generation
      WHERE k.state IN ('PENDING', 'RUNNING') AND ${processing('c')}`,
    { ownerId },
    tx,
  );
  return nextPriority(row?.running ?? null, row?.owned ?? null);
}

/** `running`: the lowest number in the queue; `owned`: the highest number of the same owner. Null: none. */
export function nextPriority(running: number | null, owned: number | null): number {
  return Math.min(lowestPriority, Math.max(1, running ?? 1, (owned ?? 0) + 1));
}

/** Priority of the chunk at `position`, where the first chunk of the content has `first`. */
export function priorityAt(first: number, position: number): number {
  return Math.min(lowestPriority, first + position);
}
