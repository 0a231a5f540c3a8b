import { randomUUID } from 'node:crypto';
import type { Context } from '../platform/context.js';
import type { EventRecorder } from '../platform/eventSubjects.js';
import { receivingWebhooks } from './receiving.js';
import { renderEvents } from './webhook.jobs.js';
import { UnrenderedEvent } from './webhook.model.js';

/** Records events for the webhooks of their owners. `context` returns the process's context, which is opened later. */
export function createEventRecorder(context: () => Context): EventRecorder {
  return {
    async record(tx, type, ownerId, subject) {
      const { db, clock, outbox } = context();
      const webhookIds = await receivingWebhooks(db, tx, ownerId, type);
      if (webhookIds.length === 0) return;
      const now = clock.now();
      const event = { id: randomUUID(), type, ownerId, subject, webhookIds, occurredAt: now, dueAt: now };
      await db.model(UnrenderedEvent).create(event, { transaction: tx });
      await outbox.add(tx, renderEvents, { ownerId });
    },
    async recordDeleted(tx, ownerId, ids, rows) {
      await context().db.change(
        `UPDATE unrendered_events SET subject = subject || jsonb_build_object('deleted', $rows::jsonb)
          WHERE owner_id = $ownerId AND subject @> ANY ($ids::jsonb[])`,
        { ownerId, ids: ids.map((id) => JSON.stringify(id)), rows: JSON.stringify(rows) },
        tx,
      );
    },
  };
}
