import type { Context } from '../platform/context.js';
import type { Transaction } from '../platform/database/database.js';

/** Below the lowest priority that a queue knows. */
const lowestPriority = 2_000_000;

/**
 * Priority of the first of a content's new chunks; each further one comes one later (lower runs first).
 *
 * Start-time fair queueing: a chunk's number is the turn of its owner. A new content begins at the turn that is running
 * now, or after the chunks its owner waits for already. So a short clip runs next, however long the films before it,
 * and the films of two owners take turns.
 */
export async function firstPriority(ctx: Context, tx: Transaction, ownerId: string): Promise<number> {
  const [row] = await ctx.db.rows<{ running: number | null; owned: number | null }>(
    `SELECT min(k.priority) AS running, max(k.priority) FILTER (WHERE c.owner_id = $ownerId) AS owned
       FROM chunks k JOIN contents c ON c.id = k.content_id AND c.generation = k.generation
      WHERE k.state IN ('PENDING', 'RUNNING') AND c.state <> 'DELETED' AND coalesce(c.failed_generation, 0) < c.generation`,
    { ownerId },
    tx,
  );
  return nextTurn(row?.running ?? null, row?.owned ?? null);
}

/** `running`: the smallest number in the queue; `owned`: the largest of the same owner. */
export function nextTurn(running: number | null, owned: number | null): number {
  return Math.min(lowestPriority, Math.max(1, running ?? 1, (owned ?? 0) + 1));
}

/** Priority of the chunk at `position` of a content whose first chunk has `first`. */
export function priorityAt(first: number, position: number): number {
  return Math.min(lowestPriority, first + position);
}
