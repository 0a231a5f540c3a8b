import Joi from 'joi';
import { defineJob } from '../platform/queue/job.js';

const minute = 60_000;

export interface ImportPayload {
  readonly uploadId: string;
}

/** Fetches a file from the address that a user has named. */
export const importFile = defineJob({
  name: 'box.import',
  queue: 'imports',
  payload: Joi.object<ImportPayload, true>({ uploadId: Joi.string().uuid().required() }),
  key: ({ uploadId }) => uploadId,
  // A slice adds the job of the next one while it runs.
  repeats: 'latest',
  attempts: 5,
  backoffMs: 10_000,
  timeoutMs: 12 * 60 * minute,
});
