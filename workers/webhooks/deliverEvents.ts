import { concurrency } from '../../shared/platform/concurrency.js';
import type { Context } from '../../shared/platform/context.js';
import { allEnded } from '../../shared/platform/allEnded.js';
import { Tunable } from '../../shared/platform/tunable.js';
import { HeldElsewhereError, newLeaseOwner, underLease } from '../../shared/platform/lease/index.js';
import { outgoingGuardOf } from '../../shared/platform/outgoing/outgoingGuard.js';
import { dueDeliveries } from '../../shared/webhook/delivery.queries.js';
import { othersAreDue } from '../../shared/webhook/deliveryQueue.service.js';
import type { DeliverEventsPayload } from '../../shared/webhook/webhook.jobs.js';
import {
  claimWebhook,
  pauseWebhook,
  recordAttempt,
  renewWebhook,
  releaseWebhook,
  type WebhookClaim,
} from '../../shared/webhook/webhook.lifecycle.js';
import type { Webhook } from '../../shared/webhook/webhook.model.js';
import { concurrencyOf } from '../runtime/queueConcurrency.js';
import type { JobRun } from '../runtime/jobTypes.js';
import { sendDelivery } from './sendDelivery.js';

/** Concurrent requests to one receiver. */
const together = 4;
/** How long a webhook is served before other owners have priority, if all slots of this process are taken. */
export const webhookSliceSeconds = new Tunable(5);
/** Maximum time for which a webhook is served in one job. */
const maxSliceMs = 30_000;
const slots = 'webhook.deliver';

/**
 * `webhook.deliver`: sends the due deliveries of a webhook in batches, until none is due, its time slice is over, or its receiver
 * is unreachable or requests a pause. If another process is sending, the job is put back, because that process may have read the
 * deliveries before this event was added.
 */
export async function deliverEventsHandler(run: JobRun<DeliverEventsPayload>): Promise<unknown> {
  const { ctx, payload } = run;
  const claim = { webhookId: payload.webhookId, leaseOwner: newLeaseOwner() };
  const claimed = await claimWebhook(ctx, claim);
  if (claimed.outcome === 'heldElsewhere') throw new HeldElsewhereError('another process sends to this webhook');
  if (claimed.outcome === 'nothing') return { skipped: 'nothing due' };
  try {
    return await concurrency(ctx).run(slots, Infinity, () =>
      underLease(
        run,
        () => renewWebhook(ctx, claim),
        (signal) => deliverDue(run, claimed.work, claim, signal),
      ),
    );
  } finally {
    await releaseWebhook(ctx, claim);
  }
}

async function deliverDue(
  { ctx, log }: JobRun<DeliverEventsPayload>,
  webhook: Webhook,
  claim: WebhookClaim,
  signal: AbortSignal,
): Promise<unknown> {
  const guard = outgoingGuardOf(ctx.config);
  const continues = sliceOf(ctx, webhook);
  const counts = { delivered: 0, failed: 0 };
  do {
    const due = await dueDeliveries(ctx, webhook.id, together);
    if (due.length === 0) break;
    const outcomes = await allEnded(
      due.map(async (delivery) => {
        const outcome = await sendDelivery({ ctx, guard, webhook, delivery, signal });
        await recordAttempt(ctx, claim, delivery, outcome);
        return outcome;
      }),
    );
    signal.throwIfAborted();
    const failures = outcomes.filter(({ failure }) => failure !== null);
    counts.failed += failures.length;
    counts.delivered += outcomes.length - failures.length;
    for (const { status, failure } of failures)
      log.info({ webhook: webhook.id, status, failure }, 'event not delivered');
    const retryAfterMs = Math.max(...outcomes.map((outcome) => outcome.retryAfterMs));
    if (retryAfterMs > 0 || outcomes.every(({ status }) => status === null)) {
      await pauseWebhook(ctx, claim, retryAfterMs);
      break;
    }
  } while (await continues());
  return counts;
}

/**
 * Returns a function to call after each batch. Requests in progress always complete, so that a receiver does not get an event
 * twice.
 */
function sliceOf(ctx: Context, webhook: Webhook): () => Promise<boolean> {
  const sliceMs = ctx.config.limit(webhookSliceSeconds) * 1_000;
  const startedAt = performance.now();
  return async () => {
    const passedMs = performance.now() - startedAt;
    if (passedMs < sliceMs) return true;
    if (passedMs >= maxSliceMs) return false;
    return concurrency(ctx).count(slots) < concurrencyOf(ctx.config, 'webhooks') || !(await othersAreDue(ctx, webhook));
  };
}
