import Joi from 'joi';
import { defineJob, definePeriodicJob } from '../platform/queue/index.js';

const minute = 60_000;

export interface ImportPayload {
  readonly uploadId: string;
}

/** Fetches a file from an address that a user has sent. */
export const importFile = defineJob({
  name: 'box.import',
  queue: 'imports',
  payload: Joi.object<ImportPayload, true>({ uploadId: Joi.string().uuid().required() }),
  key: ({ uploadId }) => uploadId,
  // A running slice adds the job of the next slice.
  repeats: 'latest',
  attempts: 5,
  backoffMs: 10_000,
  timeoutMs: 12 * 60 * minute,
});

/**
 * Cleans up after interrupted uploads: staged files with their reservations, unfinished writes, old progress rows and download
 * tokens.
 */
export const sweepUploads = definePeriodicJob({
  name: 'box.sweepUploads',
  timeoutMs: 15 * minute,
});
