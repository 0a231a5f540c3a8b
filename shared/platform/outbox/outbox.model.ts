import { defineModel, identity, integer, json, text, timestamp, uuid } from '../database/model.js';

/** A job that is committed and not published yet. */
export const OutboxJob = defineModel('outbox', {
  id: identity(),
  queue: text(),
  job: text(),
  jobKey: text(),
  repeats: text<'once' | 'latest'>(),
  payload: json<object>(),
  attempts: integer(),
  backoffMs: integer(),
  priority: integer().withDefault(),
  availableAt: timestamp().withDefault(),
  claimedUntil: timestamp().nullable(),
  publicationId: uuid().nullable(),
  createdAt: timestamp().withDefault(),
});
