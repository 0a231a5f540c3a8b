import { randomUUID } from 'node:crypto';
import type { Context } from '../platform/context.js';
import type { Transaction } from '../platform/database/database.js';
import { lease, leaseSeconds, LeaseLostError, type Claim } from '../platform/lease/index.js';
import { notifyUser } from '../user/user.jobs.js';
import { priorityOfSlice, queueDeliveries } from './deliveryQueue.service.js';
import type { NewEvent } from './eventBody.js';
import { isDue } from './receiving.js';
import { hasFailedTooLong, nextAttemptAt, resumeAfterBusy, resumeAfterSilence } from './retrySchedule.js';
import { Webhook, WebhookDelivery, WebhookEvent } from './webhook.model.js';

/*
 * Every transition of webhooks and deliveries, with the jobs that follow from it. A transaction that changes both locks the webhook
 * first. Times of attempts: `retrySchedule.ts`.
 */

/** Writes an event, its deliveries and their jobs. Resolves with the ids of the deliveries. */
export async function addDeliveries(
  ctx: Context,
  tx: Transaction,
  event: NewEvent,
  webhookIds: readonly string[],
): Promise<string[]> {
  const now = ctx.clock.now();
  const rows = webhookIds.map((webhookId) => ({
    ...{ id: randomUUID(), webhookId, eventId: event.id, state: 'WAITING' as const },
    ...{ waitsSince: now, dueAt: now, createdAt: event.occurredAt },
  }));
  await ctx.db.model(WebhookEvent).create(event, { transaction: tx });
  await ctx.db.model(WebhookDelivery).bulkCreate(rows, { transaction: tx });
  await queueDeliveries(ctx, tx, webhookIds);
  return rows.map(({ id }) => id);
}

/** Sends a delivery again, regardless of its state. The caller has checked its owner. */
export async function repeatDelivery(
  ctx: Context,
  { id, webhookId }: Pick<WebhookDelivery, 'id' | 'webhookId'>,
): Promise<void> {
  const now = ctx.clock.now();
  await ctx.db.transaction(async (tx) => {
    const waiting = { state: 'WAITING', attempts: 0, waitsSince: now, dueAt: now } as const;
    await ctx.db.model(WebhookDelivery).update(waiting, { where: { id }, transaction: tx });
    await queueDeliveries(ctx, tx, [webhookId]);
  });
}

/** The owner of a webhook's lease. */
export interface WebhookClaim {
  readonly webhookId: string;
  readonly leaseOwner: string;
}

/** Takes the lease of a webhook with due deliveries. */
export async function claimWebhook(ctx: Context, { webhookId, leaseOwner }: WebhookClaim): Promise<Claim<Webhook>> {
  const now = ctx.clock.now();
  const priority = await priorityOfSlice(ctx, webhookId);
  const [claimed] = await ctx.db.rows<Webhook>(
    `UPDATE webhooks webhook SET ${lease.taken}, priority = $priority::int
      WHERE webhook.id = $webhookId AND ${lease.free} AND ${isDue} RETURNING webhook.*`,
    { webhookId, leaseOwner, leaseSeconds: leaseSeconds(ctx), now, priority },
  );
  if (claimed) return { outcome: 'claimed', work: claimed };
  const [taken] = await ctx.db.rows<{ leaseUntil: Date }>(
    `SELECT lease_until FROM webhooks webhook WHERE webhook.id = $webhookId AND ${lease.running} AND ${isDue}`,
    { webhookId, now },
  );
  return taken ? { outcome: 'heldElsewhere', until: taken.leaseUntil } : { outcome: 'nothing' };
}

/** Renews the lease. False if it is lost, or the webhook was removed or switched off. */
export async function renewWebhook(ctx: Context, { webhookId, leaseOwner }: WebhookClaim): Promise<boolean> {
  const changed = await ctx.db.change(
    `UPDATE webhooks SET ${lease.renewed} WHERE id = $webhookId AND ${lease.held} AND enabled`,
    { webhookId, leaseOwner, leaseSeconds: leaseSeconds(ctx) },
  );
  return changed > 0;
}

/** Releases the lease. If deliveries are still due, queues the webhook's next slice, after those of other owners. */
export async function releaseWebhook(ctx: Context, { webhookId, leaseOwner }: WebhookClaim): Promise<void> {
  await ctx.db.transaction(async (tx) => {
    const [due] = await ctx.db.rows<{ isDue: boolean; priority: number | null }>(
      `UPDATE webhooks webhook SET ${lease.released}
        WHERE webhook.id = $webhookId AND ${lease.held} RETURNING ${isDue} AS is_due, priority`,
      { webhookId, leaseOwner, now: ctx.clock.now() },
      tx,
    );
    if (due?.isDue) await queueDeliveries(ctx, tx, [webhookId], { lastPriority: due.priority });
  });
}

/**
 * SQL: a delivery of the webhook waits for another attempt. If no delivery waits, all earlier deliveries have ended, perhaps
 * weeks ago, and a failure starts a new period of failures.
 */
const hasRetries = `EXISTS (SELECT 1 FROM webhook_deliveries other
                             WHERE other.webhook_id = webhooks.id AND other.state = 'WAITING' AND other.attempts > 0)`;

/** The result of an attempt. */
export interface AttemptOutcome {
  /** Null: no response. */
  readonly status: number | null;
  /** The reason of the failure, for the owner; null: success. */
  readonly failure: string | null;
  /** The pause that the receiver requests; 0: none. */
  readonly retryAfterMs: number;
}

/** The status by which a receiver reports that it no longer exists. */
const gone = 410;

/** A delivery whose attempt has ended. */
export type AttemptedDelivery = Pick<WebhookDelivery, 'id' | 'webhookId' | 'attempts' | 'waitsSince'>;

/** Writes the result of an attempt. A delivery that was sent again meanwhile is unchanged. Throws LeaseLostError. */
export async function recordAttempt(
  ctx: Context,
  { webhookId, leaseOwner }: WebhookClaim,
  delivery: AttemptedDelivery,
  { status, failure, retryAfterMs }: AttemptOutcome,
): Promise<void> {
  const now = ctx.clock.now();
  const attempts = delivery.attempts + 1;
  const dueAt = failure === null ? null : nextAttemptAt(attempts, delivery.waitsSince, now, retryAfterMs);
  await ctx.db.transaction(async (tx) => {
    const [webhook] = await ctx.db.rows<Pick<Webhook, 'ownerId' | 'url' | 'failingSince'>>(
      `UPDATE webhooks SET failing_since = CASE WHEN $isFailed::boolean AND ($isFirst::boolean AND NOT ${hasRetries}) THEN $now::timestamptz
                                  WHEN $isFailed::boolean THEN coalesce(failing_since, $now) END,
              unanswered = CASE WHEN $isAnswered::boolean THEN 0 ELSE unanswered END
        WHERE id = $webhookId AND ${lease.held} RETURNING owner_id, url, failing_since`,
      {
        ...{ webhookId, leaseOwner, now, isFirst: delivery.attempts === 0 },
        ...{ isFailed: failure !== null, isAnswered: status !== null },
      },
      tx,
    );
    if (!webhook) throw new LeaseLostError(`webhook ${webhookId} belongs to another worker, or is removed`);
    await ctx.db.change(
      `UPDATE webhook_deliveries
          SET state = $state, attempts = $attempts, due_at = coalesce($dueAt::timestamptz, due_at), attempted_at = $now,
              response_status = $status, failure = $failure
        WHERE id = $id AND state = 'WAITING' AND waits_since = $waitsSince`,
      {
        ...{ id: delivery.id, waitsSince: delivery.waitsSince, attempts, dueAt, now, status, failure },
        state: failure === null ? 'DELIVERED' : dueAt ? 'WAITING' : 'FAILED',
      },
      tx,
    );
    if (status === gone) await switchOff(ctx, tx, { id: webhookId, ...webhook }, 'RECEIVER');
    else if (failure !== null && hasFailedTooLong(webhook.failingSince, now))
      await switchOff(ctx, tx, { id: webhookId, ...webhook }, 'FAILURES');
    else if (dueAt) await addRetry(ctx, tx, webhookId, dueAt);
  });
}

/**
 * Pauses a receiver, also for new events: for the time that it requests, or, if `retryAfterMs` is 0 because it responded to no
 * attempt of a batch, for an exponentially growing time.
 */
export async function pauseWebhook(
  ctx: Context,
  { webhookId, leaseOwner }: WebhookClaim,
  retryAfterMs: number,
): Promise<void> {
  const now = ctx.clock.now();
  await ctx.db.transaction(async (tx) => {
    const held = { id: webhookId, leaseOwner };
    const webhook = await ctx.db.model(Webhook).findOne({ where: held, transaction: tx, lock: 'NO KEY UPDATE' });
    if (!webhook) return;
    const isBusy = retryAfterMs > 0;
    const unanswered = isBusy ? 0 : webhook.unanswered + 1;
    const resumesAt = isBusy ? resumeAfterBusy(retryAfterMs, now) : resumeAfterSilence(unanswered, now);
    await ctx.db.model(Webhook).update({ unanswered, resumesAt }, { where: { id: webhookId }, transaction: tx });
    await addRetry(ctx, tx, webhookId, resumesAt);
  });
}

/** The job runs no earlier than the delivery is due: both use the same clock. */
async function addRetry(ctx: Context, tx: Transaction, webhookId: string, dueAt: Date): Promise<void> {
  await queueDeliveries(ctx, tx, [webhookId], { dueSecond: Math.ceil(dueAt.getTime() / 1000) });
}

/** Switches a webhook off until its owner switches it on again, and notifies the owner by mail. */
async function switchOff(
  ctx: Context,
  tx: Transaction,
  { id, ownerId, url }: Pick<Webhook, 'id' | 'ownerId' | 'url'>,
  disabledBy: 'RECEIVER' | 'FAILURES',
): Promise<void> {
  const now = ctx.clock.now();
  const off = { enabled: false, disabledBy, updatedAt: now };
  const changed = await ctx.db.model(Webhook).update(off, { where: { id, enabled: true }, transaction: tx });
  if (changed === 0) return;
  const key = disabledBy === 'RECEIVER' ? 'webhookGone' : 'webhookFailing';
  // Only the host: the rest of an address may be a secret.
  const values = { host: new URL(url).host };
  await ctx.outbox.add(tx, notifyUser, { userId: ownerId, key, values, event: `${id}-${now.getTime()}` });
}
