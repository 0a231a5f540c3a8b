import { randomUUID } from 'node:crypto';
import type { Context } from '../platform/context.js';
import type { EventType } from '../platform/eventSubjects.js';
import { ConflictError, NotFoundError } from '../platform/errors.js';
import { readPage, rowsOfPage } from '../platform/database/readPage.js';
import type { Page, PageRequest } from '../platform/formats/page.js';
import { encryptText } from '../platform/security/encryption.js';
import { Tunable } from '../platform/tunable.js';
import { limitCalls } from '../platform/throttle/throttle.js';
import { nameSubject } from '../platform/throttle/subject.js';
import { User } from '../user/user.model.js';
import { deliveryOf, type DeliveryDetails } from './delivery.queries.js';
import { queueDeliveries } from './deliveryQueue.service.js';
import { withBody } from './eventBody.js';
import { newWebhookSecret } from './signature.js';
import { addDeliveries, repeatDelivery } from './webhook.lifecycle.js';
import { Webhook } from './webhook.model.js';

/** Maximum number of webhooks per user: each event may cost a request to each. */
const maxWebhooks = 20;
/** Time after a rotation in which both secrets sign, so that receivers can change theirs. */
const rotationMs = 24 * 60 * 60_000;
/** Maximum number of tests and repeated deliveries of one user: each is a request to a server that the user has chosen. */
const requestedDeliveriesPerHour = new Tunable(120);

export interface WebhookInput {
  /** Checked by the address guard before, and again at each request. */
  readonly url: string;
  readonly events: readonly EventType[];
}

/** A webhook with its secret in plain text, which is shown once. */
export interface WebhookWithSecret {
  readonly webhook: Webhook;
  readonly secret: string;
}

/** Creates a webhook. Throws ConflictError if the user has too many. */
export async function createWebhook(
  ctx: Context,
  ownerId: string,
  { url, events }: WebhookInput,
): Promise<WebhookWithSecret> {
  const now = ctx.clock.now();
  const id = randomUUID();
  const secret = newWebhookSecret();
  const webhook = await ctx.db.transaction(async (tx) => {
    // The lock makes concurrent calls count each other's webhooks.
    await ctx.db.model(User).findByPk(ownerId, { attributes: ['id'], transaction: tx, lock: 'NO KEY UPDATE' });
    if ((await ctx.db.model(Webhook).count({ where: { ownerId }, transaction: tx })) >= maxWebhooks)
      throw new ConflictError({ key: 'webhook.tooMany', values: { limit: maxWebhooks } });
    return ctx.db.model(Webhook).create(
      {
        ...{ id, ownerId, url, events: [...events], enabled: true, createdAt: now, updatedAt: now },
        secret: encryptText(ctx.config.encryptionKey, id, secret),
      },
      { transaction: tx },
    );
  });
  return { webhook, secret };
}

/** A webhook of this owner. Throws NotFoundError, also for that of another user. */
export function ownWebhook(ctx: Context, ownerId: string, id: string): Promise<Webhook> {
  return ctx.db.model(Webhook).findOwn({ id, ownerId });
}

/** The webhooks of an owner, oldest first. */
export function ownWebhooks(ctx: Context, ownerId: string, page: PageRequest): Promise<Page<Webhook>> {
  return readPage(
    page,
    (rows) =>
      ctx.db.rows<Webhook>(`SELECT * FROM webhooks WHERE owner_id = $ownerId ORDER BY created_at, id ${rowsOfPage}`, {
        ownerId,
        ...rows,
      }),
    () => ctx.db.model(Webhook).count({ where: { ownerId } }),
  );
}

/**
 * Replaces address and events; undefined: unchanged. A webhook that is switched on, or gets another address, loses its failure
 * counts and its pause: its due deliveries are sent at once. Throws NotFoundError.
 */
export async function updateWebhook(
  ctx: Context,
  ownerId: string,
  id: string,
  { url, events, enabled }: Partial<WebhookInput> & { readonly enabled?: boolean | undefined },
): Promise<Webhook> {
  const { id: webhookId } = await ownWebhook(ctx, ownerId, id);
  const values = {
    url,
    events: events && [...events],
    enabled,
    disabledBy: enabled === false ? ('OWNER' as const) : enabled && null,
    ...(enabled === true || url !== undefined ? { failingSince: null, unanswered: 0, resumesAt: null } : {}),
    updatedAt: ctx.clock.now(),
  };
  await ctx.db.transaction(async (tx) => {
    await ctx.db.model(Webhook).update(values, { where: { id: webhookId }, transaction: tx });
    await queueDeliveries(ctx, tx, [webhookId]);
  });
  return ownWebhook(ctx, ownerId, webhookId);
}

/** Rotates the secret; the previous one signs for another day. Throws NotFoundError. */
export async function rotateSecret(ctx: Context, ownerId: string, id: string): Promise<WebhookWithSecret> {
  const present = await ownWebhook(ctx, ownerId, id);
  const now = ctx.clock.now();
  const secret = newWebhookSecret();
  const values = {
    secret: encryptText(ctx.config.encryptionKey, present.id, secret),
    previousSecret: present.secret,
    previousSecretUntil: new Date(now.getTime() + rotationMs),
    updatedAt: now,
  };
  await ctx.db.model(Webhook).update(values, { where: { id: present.id } });
  return { webhook: await ownWebhook(ctx, ownerId, present.id), secret };
}

/** Removes a webhook with its deliveries. Throws NotFoundError. */
export async function deleteWebhook(ctx: Context, ownerId: string, id: string): Promise<void> {
  if ((await ctx.db.model(Webhook).destroy({ where: { id, ownerId } })) === 0) throw new NotFoundError();
}

/** Sends a test event. Throws NotFoundError, ConflictError if the webhook is switched off, TooManyRequestsError. */
export async function testWebhook(ctx: Context, ownerId: string, id: string): Promise<DeliveryDetails> {
  const webhookId = await sendableWebhook(ctx, ownerId, id);
  const happened = { id: randomUUID(), type: 'webhook.test', occurredAt: ctx.clock.now() };
  const event = withBody(happened, { webhookId });
  const [deliveryId = ''] = await ctx.db.transaction((tx) => addDeliveries(ctx, tx, event, [webhookId]));
  return deliveryOf(ctx, webhookId, deliveryId);
}

/** Sends a delivery again, with the same id. Throws as `testWebhook` does. */
export async function resendDelivery(
  ctx: Context,
  ownerId: string,
  id: string,
  deliveryId: string,
): Promise<DeliveryDetails> {
  const delivery = await deliveryOf(ctx, (await ownWebhook(ctx, ownerId, id)).id, deliveryId);
  await sendableWebhook(ctx, ownerId, id);
  await repeatDelivery(ctx, delivery);
  return deliveryOf(ctx, delivery.webhookId, delivery.id);
}

async function sendableWebhook(ctx: Context, ownerId: string, id: string): Promise<string> {
  const { id: webhookId, enabled } = await ownWebhook(ctx, ownerId, id);
  if (!enabled) throw new ConflictError({ key: 'webhook.switchedOff' });
  await limitCalls(ctx, [nameSubject('webhook', ownerId, { limit: requestedDeliveriesPerHour, windowSeconds: 3_600 })]);
  return webhookId;
}
