import { nextPriority } from '../content/chunkPriority.js';
import type { Context } from '../platform/context.js';
import type { Transaction } from '../platform/database/database.js';
import { lease } from '../platform/lease/index.js';
import { isDue } from './receiving.js';
import { deliverEvents } from './webhook.jobs.js';
import type { Webhook } from './webhook.model.js';

/*
 * The order in which webhooks get worker slots: start-time fair queueing per owner, as for imports. The priority of a time slice is
 * one more than that of its owner's last slice, and at least that of the running slices: owners alternate, regardless of how many
 * webhooks each has. The transaction of an event does not write the webhook's row, because it would wait for all other transactions
 * that do: a priority is stored when its slice begins.
 */

/** A job that was published within this time does not count as waiting. */
const publishedMs = 2_000;

/** SQL: the row `webhook` has the same owner as `$webhookId`. */
const isOfOwner = 'webhook.owner_id = (SELECT own.owner_id FROM webhooks own WHERE own.id = $webhookId)';

/** Priority of a slice of a webhook that begins now. */
export async function priorityOfSlice(ctx: Context, webhookId: string, tx?: Transaction): Promise<number> {
  const [row] = await ctx.db.rows<{ running: number | null; owned: number | null }>(
    `SELECT min(webhook.priority) AS running, max(webhook.priority) FILTER (WHERE ${isOfOwner}) AS owned
       FROM webhooks webhook WHERE webhook.lease_owner IS NOT NULL AND ${lease.running}`,
    { webhookId },
    tx,
  );
  return nextPriority(row?.running ?? null, row?.owned ?? null);
}

/** Number of other webhooks of the same owner that wait for a slot. */
async function waitingWithout(
  ctx: Context,
  tx: Transaction,
  webhookId: string,
  webhookIds: readonly string[],
): Promise<number> {
  const [row] = await ctx.db.rows<{ waiting: number }>(
    `SELECT count(*)::int AS waiting FROM webhooks webhook
      WHERE ${isOfOwner} AND webhook.id <> ALL ($webhookIds::uuid[]) AND ${lease.free} AND ${isDue}`,
    { webhookId, webhookIds, now: ctx.clock.now() },
    tx,
  );
  return row?.waiting ?? 0;
}

interface QueueDeliveries {
  /** Priority of the slice that ends. */
  readonly lastPriority?: number | null;
  /** Second of a retry, since 1970: the jobs run no earlier. Job and retry use the same clock. */
  readonly dueSecond?: number;
}

/** Queues the next slices of webhooks of one owner, in the order of the list. */
export async function queueDeliveries(
  ctx: Context,
  tx: Transaction,
  webhookIds: readonly string[],
  { lastPriority = null, dueSecond }: QueueDeliveries = {},
): Promise<void> {
  const [first] = webhookIds;
  if (first === undefined) return;
  const next = Math.max(await priorityOfSlice(ctx, first, tx), nextPriority(null, lastPriority));
  const waiting = await waitingWithout(ctx, tx, first, webhookIds);
  const delayMs = dueSecond === undefined ? 0 : dueSecond * 1000 - ctx.clock.now().getTime();
  await ctx.outbox.addMany(
    tx,
    deliverEvents,
    webhookIds.map((webhookId, index) => ({
      payload: { webhookId, ...(dueSecond === undefined ? {} : { dueSecond }) },
      options: { priority: nextPriority(next, next + waiting + index - 1), delayMs },
    })),
  );
}

/** Whether a webhook or an event of another owner waits for a worker slot. */
export async function othersAreDue(ctx: Context, { ownerId }: Pick<Webhook, 'ownerId'>): Promise<boolean> {
  const rows = await ctx.db.rows(
    `SELECT 1 FROM webhooks webhook WHERE webhook.owner_id <> $ownerId AND ${lease.free} AND ${isDue}
     UNION ALL SELECT 1 FROM unrendered_events event WHERE event.owner_id <> $ownerId AND event.due_at <= $now LIMIT 1`,
    { ownerId, now: new Date(ctx.clock.now().getTime() - publishedMs) },
  );
  return rows.length > 0;
}
