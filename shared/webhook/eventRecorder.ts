import { randomUUID } from 'node:crypto';
import type { Context } from '../platform/context.js';
import type { EventRecorder, EventType } from '../platform/events.js';
import type { Transaction } from '../platform/database/database.js';
import { defaultZone } from '../platform/formats/timeZone.js';
import { languageOf } from '../platform/i18n.js';
import { User } from '../user/user.model.js';
import type { EventReader, EventRegistry } from './eventRegistry.js';
import { isReceiving } from './receiving.js';
import { addDeliveries, type NewEvent } from './webhook.lifecycle.js';

/** Of the body. Members are only added to it without a new version. */
export const eventVersion = 1;

/** Records events for the webhooks of their owners. `context`: of the process, which is opened later. */
export function createEventRecorder(registry: EventRegistry, context: () => Context): EventRecorder {
  return {
    async record(tx, type, ownerId, subject) {
      const ctx = context();
      const webhookIds = await webhooksFor(ctx, tx, ownerId, type);
      if (webhookIds.length === 0) return;
      const data = await registry[type](await readerOf(ctx, tx, ownerId), subject);
      if (data !== null) await addDeliveries(ctx, tx, newEvent(ctx, type, data), webhookIds);
    },
  };
}

/** The lock makes the removal of a webhook wait: its deliveries refer to it. */
async function webhooksFor(ctx: Context, tx: Transaction, ownerId: string, type: EventType): Promise<string[]> {
  const rows = await ctx.db.rows<{ id: string }>(
    `SELECT webhook.id FROM webhooks webhook
      WHERE webhook.owner_id = $ownerId AND $type = ANY (webhook.events) AND ${isReceiving} ORDER BY webhook.id FOR KEY SHARE`,
    { ownerId, type },
    tx,
  );
  return rows.map(({ id }) => id);
}

/** The owner reads it in the language of the account, with dates in the time zone of the service. */
async function readerOf(ctx: Context, tx: Transaction, userId: string): Promise<EventReader> {
  const inside = { ...ctx, db: ctx.db.inside(tx) };
  const user = await inside.db.model(User).findByPk(userId, { attributes: ['language'], rejectOnEmpty: true });
  return { ctx: inside, userId, language: languageOf(user.language), zone: defaultZone(ctx.config) };
}

/** An event as it is sent: `docs/contract.md#fields-event`. */
export function newEvent(ctx: Context, type: EventType, data: object): NewEvent {
  const id = randomUUID();
  const occurredAt = ctx.clock.now();
  const body = JSON.stringify({ id, type, version: eventVersion, timestamp: occurredAt.toISOString(), data });
  return { id, type, body, occurredAt };
}
