import { column, defineModel } from '../../database/model.js';

/** A committed job that is not published yet. */
export const OutboxJob = defineModel('outbox', {
  id: column.identity(),
  queue: column.text(),
  job: column.text(),
  jobKey: column.text(),
  repeats: column.text<'once' | 'latest'>(),
  payload: column.json<object>(),
  attempts: column.integer(),
  backoffMs: column.integer(),
  priority: column.integer().withDefault(),
  availableAt: column.timestamp().withDefault(),
  claimedUntil: column.timestamp().nullable(),
  publicationId: column.uuid().nullable(),
  traceparent: column.text().nullable(),
  createdAt: column.timestamp().withDefault(),
});
