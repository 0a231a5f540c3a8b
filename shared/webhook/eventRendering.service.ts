import type { Context } from '../platform/context.js';
import type { Transaction } from '../platform/database/database.js';
import { defaultZone } from '../platform/formats/timeZone.js';
import { languageOf } from '../platform/i18n.js';
import { Tunable } from '../platform/tunable.js';
import { User } from '../user/user.model.js';
import { withBody, type NewEvent } from './eventBody.js';
import type { EventReader, EventRegistry } from './eventRegistry.js';
import { receivingWebhooks } from './receiving.js';
import { givenUpSince, nextAttemptAt, overdueMs } from './retrySchedule.js';
import { renderEvents } from './webhook.jobs.js';
import { addDeliveries } from './webhook.lifecycle.js';
import { UnrenderedEvent } from './webhook.model.js';

/*
 * Rendering of recorded events. A recorded event is a row of `unrendered_events`. It is rendered once: the transaction that deletes
 * the row stores the body and its deliveries, so that every attempt sends the same bytes.
 */

/** Duration of a time slice in which the events of one owner are rendered. */
export const renderSliceSeconds = new Tunable(5);

interface Rendered {
  readonly rendered: number;
  readonly failed: number;
}

/**
 * Renders the due events of an owner, oldest first, for one time slice; another job renders the remaining events. An event whose
 * view throws is retried later, for up to three days; the others are sent. Throws the reason of `signal`.
 */
export async function renderDueEvents(
  ctx: Context,
  registry: EventRegistry,
  ownerId: string,
  signal: AbortSignal,
): Promise<Rendered> {
  const counts = { rendered: 0, failed: 0 };
  const endsAt = performance.now() + ctx.config.limit(renderSliceSeconds) * 1_000;
  for (let event = await nextDue(ctx, ownerId); event; event = await nextDue(ctx, ownerId)) {
    signal.throwIfAborted();
    const { id: eventId, type } = event;
    try {
      await storeRendered(ctx, event, await renderedEvent(ctx, registry, event));
      counts.rendered += 1;
    } catch (error) {
      counts.failed += 1;
      ctx.log.error({ err: error, eventId, type, ownerId }, 'event not rendered: it will be retried');
      await postpone(ctx, event);
    }
    if (performance.now() < endsAt) continue;
    await ctx.db.transaction((tx) => ctx.outbox.add(tx, renderEvents, { ownerId }));
    break;
  }
  return counts;
}

async function nextDue(ctx: Context, ownerId: string): Promise<UnrenderedEvent | undefined> {
  const [event] = await ctx.db.rows<UnrenderedEvent>(
    `SELECT * FROM unrendered_events WHERE owner_id = $ownerId AND due_at <= $now ORDER BY occurred_at, id LIMIT 1`,
    { ownerId, now: ctx.clock.now() },
  );
  return event;
}

/** Null: the subject was deleted and not recorded. */
async function renderedEvent(ctx: Context, registry: EventRegistry, event: UnrenderedEvent): Promise<NewEvent | null> {
  const reader = await readerOf(ctx, event);
  const render = registry[event.type] as (reader: EventReader, subject: object) => Promise<object | null>;
  const data = await render(reader, event.subject);
  if (data) return withBody(event, data);
  // A deletion after the event was read has stored the deleted rows in it.
  const present = await ctx.db.model(UnrenderedEvent).findByPk(event.id);
  const late = present && (await render(reader, present.subject));
  return late && withBody(event, late);
}

/** The owner reads it in the language of the account, with dates in the time zone of the service. */
async function readerOf(ctx: Context, { ownerId: userId, occurredAt }: UnrenderedEvent): Promise<EventReader> {
  const user = await ctx.db.model(User).findByPk(userId, { attributes: ['language'], rejectOnEmpty: true });
  return { ctx, userId, occurredAt, language: languageOf(user.language), zone: defaultZone(ctx.config) };
}

/** Does nothing if another process was first. */
async function storeRendered(ctx: Context, recorded: UnrenderedEvent, event: NewEvent | null): Promise<void> {
  const { id, type, ownerId } = recorded;
  if (!event) ctx.log.info({ eventId: id, type, ownerId }, 'event dropped: its subject was deleted');
  await ctx.db.transaction(async (tx) => {
    if ((await ctx.db.model(UnrenderedEvent).destroy({ where: { id }, transaction: tx })) === 0 || !event) return;
    const webhookIds = await presentWebhooks(ctx, tx, recorded);
    if (webhookIds.length > 0) await addDeliveries(ctx, tx, event, webhookIds);
  });
}

/** The webhooks of an event that still exist. The lock makes a removal wait: deliveries refer to the webhook. */
async function presentWebhooks(
  ctx: Context,
  tx: Transaction,
  { ownerId, type, webhookIds }: UnrenderedEvent,
): Promise<string[]> {
  const ids = webhookIds ?? (await receivingWebhooks(ctx.db, tx, ownerId, type));
  const rows = await ctx.db.rows<{ id: string }>(
    'SELECT id FROM webhooks WHERE id = ANY ($ids::uuid[]) ORDER BY id FOR KEY SHARE',
    { ids },
    tx,
  );
  return rows.map(({ id }) => id);
}

/** Retries an event with the pauses of a delivery. */
async function postpone(ctx: Context, { id, ownerId, attempts: before }: UnrenderedEvent): Promise<void> {
  const attempts = before + 1;
  const now = ctx.clock.now();
  const dueAt = nextAttemptAt(attempts, now, now) ?? now;
  const dueSecond = Math.ceil(dueAt.getTime() / 1000);
  await ctx.db.transaction(async (tx) => {
    await ctx.db.model(UnrenderedEvent).update({ attempts, dueAt }, { where: { id }, transaction: tx });
    await ctx.outbox.add(tx, renderEvents, { ownerId, dueSecond }, { delayMs: dueSecond * 1000 - now.getTime() });
  });
}

/** Deletes events that could not be rendered for three days. */
export async function giveUpUnrendered(ctx: Context): Promise<void> {
  const deleted = await ctx.db.rows<Pick<UnrenderedEvent, 'id' | 'type' | 'ownerId'>>(
    'DELETE FROM unrendered_events WHERE occurred_at < $since RETURNING id, type, owner_id',
    { since: givenUpSince(ctx.clock.now()) },
  );
  for (const { id: eventId, type, ownerId } of deleted)
    ctx.log.error({ eventId, type, ownerId }, 'event given up: it cannot be rendered');
}

/** Queues overdue events again: the queue may have lost their jobs. Resolves with the number of owners. */
export async function requeueUnrendered(ctx: Context): Promise<number> {
  return ctx.db.transaction(async (tx) => {
    const owners = await ctx.db.rows<Pick<UnrenderedEvent, 'ownerId'>>(
      'SELECT DISTINCT owner_id FROM unrendered_events WHERE due_at <= $before',
      { before: new Date(ctx.clock.now().getTime() - overdueMs) },
      tx,
    );
    await ctx.outbox.addMany(
      tx,
      renderEvents,
      owners.map(({ ownerId }) => ({ payload: { ownerId } })),
    );
    return owners.length;
  });
}
