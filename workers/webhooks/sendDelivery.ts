import type { Context } from '../../shared/platform/context.js';
import { Tunable } from '../../shared/platform/tunable.js';
import { OutgoingRefusedError, type OutgoingGuard } from '../../shared/platform/outgoing/outgoingGuard.js';
import { sendOutgoing, userAgentOf } from '../../shared/platform/outgoing/outgoingRequest.js';
import { retryAfterMs } from '../../shared/platform/outgoing/retryAfter.js';
import type { DueDelivery } from '../../shared/webhook/delivery.queries.js';
import { webhookSignature } from '../../shared/webhook/signature.js';
import type { AttemptOutcome } from '../../shared/webhook/webhook.lifecycle.js';
import type { Webhook } from '../../shared/webhook/webhook.model.js';
import { secretsOf } from '../../shared/webhook/webhookSecrets.js';

/** Statuses with which a receiver may request a pause (`Retry-After`). */
const busy = [429, 503];

/** Time limit for the response of a receiver. */
export const webhookResponseSeconds = new Tunable(15);

interface Sending {
  readonly ctx: Context;
  readonly guard: OutgoingGuard;
  readonly webhook: Webhook;
  readonly delivery: DueDelivery;
  readonly signal: AbortSignal;
}

/**
 * Sends an event according to Standard Webhooks. Only the status and `Retry-After` of the response are read. Redirects are not
 * followed. Throws the reason of `signal`.
 */
export async function sendDelivery({ ctx, guard, webhook, delivery, signal }: Sending): Promise<AttemptOutcome> {
  const now = ctx.clock.now();
  const { eventId: id, body } = delivery;
  const timestamp = Math.floor(now.getTime() / 1000);
  const headers = {
    'Content-Type': 'application/json',
    'Webhook-Id': id,
    'Webhook-Timestamp': String(timestamp),
    'Webhook-Signature': webhookSignature(secretsOf(ctx.config, webhook, now), { id, timestamp, body }),
  };
  const responseMs = ctx.config.limit(webhookResponseSeconds) * 1000;
  try {
    const response = await sendOutgoing(guard, {
      ...{ url: webhook.url, userAgent: userAgentOf(ctx.config), method: 'POST', headers, body },
      ...{ responseMs, silenceMs: responseMs, signal },
    });
    response.body.destroy();
    const { status, headers: received } = response;
    return {
      status,
      failure: status >= 200 && status < 300 ? null : `status ${status}`,
      retryAfterMs: busy.includes(status) ? retryAfterMs(received) : 0,
    };
  } catch (error) {
    signal.throwIfAborted();
    return { status: null, failure: failureOf(error as Error), retryAfterMs: 0 };
  }
}

/** The message for the owner, without details of the internal network. */
function failureOf(error: Error): string {
  if (error instanceof OutgoingRefusedError) return `refused: ${error.code}`;
  const { code } = error as { code?: unknown };
  if (typeof code === 'string') return code;
  return error.message.startsWith('no response') ? 'no response in time' : 'no valid response';
}
