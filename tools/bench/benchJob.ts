import Joi from 'joi';
import { defineJob } from '../../shared/platform/queue/index.js';

export interface BenchPayload {
  readonly id: string;
}

/** A job of the bench. Its handler does nothing. */
export const benchJob = defineJob({
  name: 'bench.job',
  queue: 'mail',
  payload: Joi.object<BenchPayload, true>({ id: Joi.string().uuid().required() }),
  key: ({ id }: BenchPayload) => id,
  attempts: 3,
  backoffMs: 1_000,
  timeoutMs: 60_000,
});

/** The time of day in milliseconds, with fractions; the same in all processes of a machine. */
export const timeOfDayMs = (): number => performance.timeOrigin + performance.now();
