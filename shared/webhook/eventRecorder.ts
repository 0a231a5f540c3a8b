import { randomUUID } from 'node:crypto';
import type { Context } from '../platform/context.js';
import type { EventRecorder, EventType } from '../platform/eventSubjects.js';
import type { Transaction } from '../platform/database/database.js';
import { defaultZone } from '../platform/formats/timeZone.js';
import { languageOf } from '../platform/i18n.js';
import { User } from '../user/user.model.js';
import type { EventReader, EventRegistry } from './eventRegistry.js';
import { isReceiving } from './receiving.js';
import { deleteUnrendered, giveUpUnrendered, keepUnrendered, takeUnrendered } from './unrenderedEvent.service.js';
import { addDeliveries, type NewEvent } from './webhook.lifecycle.js';
import type { UnrenderedEvent } from './webhook.model.js';

/** Of the body. Members are only added to it without a new version. */
export const eventVersion = 1;

type Happened = Pick<UnrenderedEvent, 'id' | 'type' | 'ownerId' | 'subject' | 'occurredAt'>;

/** Records events for the webhooks of their owners. `context`: of the process, which is opened later. */
export function createEventRecorder(registry: EventRegistry, context: () => Context): EventRecorder {
  /** Null: what it is about is gone, and there is no event. */
  const rendered = async (ctx: Context, { subject, ...event }: Happened): Promise<NewEvent | null> => {
    const read = registry[event.type] as (reader: EventReader, about: object) => Promise<object | null>;
    const data = await read(await readerOf(ctx, event.ownerId), subject);
    return data && withBody(event, data);
  };
  return {
    async record(tx, type, ownerId, subject) {
      const ctx = context();
      const webhookIds = await webhooksFor(ctx, tx, ownerId, type);
      if (webhookIds.length === 0) return;
      const happened = { id: randomUUID(), type, ownerId, subject, occurredAt: ctx.clock.now() };
      let event: NewEvent | null;
      try {
        event = await ctx.db.attempt(tx, (db) => rendered({ ...ctx, db }, happened));
      } catch (error) {
        ctx.log.error({ err: error, type, ownerId, subject }, 'data of an event not read: they are read again later');
        return keepUnrendered(ctx, tx, happened);
      }
      if (event) await addDeliveries(ctx, tx, event, webhookIds);
    },
    async recordUnrendered(signal) {
      const ctx = context();
      await giveUpUnrendered(ctx);
      let recorded = 0;
      while (!signal.aborted) {
        const happened = await takeUnrendered(ctx);
        if (!happened) break;
        const { id: eventId, type, ownerId } = happened;
        try {
          if (await recordLate(ctx, happened, await rendered(ctx, happened))) recorded += 1;
        } catch (error) {
          ctx.log.warn({ err: error, eventId, type, ownerId }, 'data of an event not read again');
        }
      }
      return recorded;
    },
  };
}

/** False: another process was first, or there is nothing to send or nobody to send it to. */
async function recordLate(ctx: Context, { id, type, ownerId }: Happened, event: NewEvent | null): Promise<boolean> {
  return ctx.db.transaction(async (tx) => {
    if (!(await deleteUnrendered(ctx, tx, id)) || !event) return false;
    const webhookIds = await webhooksFor(ctx, tx, ownerId, type);
    if (webhookIds.length > 0) await addDeliveries(ctx, tx, event, webhookIds);
    return webhookIds.length > 0;
  });
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
async function readerOf(ctx: Context, userId: string): Promise<EventReader> {
  const user = await ctx.db.model(User).findByPk(userId, { attributes: ['language'], rejectOnEmpty: true });
  return { ctx, userId, language: languageOf(user.language), zone: defaultZone(ctx.config) };
}

/** An event as it is sent: `docs/contract.md#fields-event`. */
export function withBody({ id, type, occurredAt }: Omit<NewEvent, 'body'>, data: object): NewEvent {
  const body = JSON.stringify({ id, type, version: eventVersion, timestamp: occurredAt.toISOString(), data });
  return { id, type, body, occurredAt };
}
