import Joi from 'joi';
import type { OpenContext } from '../../shared/openContext.js';
import { defineJob } from '../../shared/platform/queue/job.js';

export interface BenchPayload {
  readonly id: string;
}

/** A job of the bench, in a queue that eight jobs of a process may use at the same time. */
export const benchJob = defineJob({
  name: 'bench.job',
  queue: 'mail',
  payload: Joi.object<BenchPayload, true>({ id: Joi.string().uuid().required() }),
  key: ({ id }: BenchPayload) => id,
  attempts: 3,
  backoffMs: 1_000,
  timeoutMs: 60_000,
});

/** Publishes what is left in the outbox, and waits for what is being published. */
export async function untilPublished(ctx: OpenContext): Promise<void> {
  for (;;) {
    await ctx.outbox.publish();
    const [row] = await ctx.db.rows<{ waiting: boolean }>('SELECT EXISTS (SELECT FROM outbox) AS waiting');
    if (!row?.waiting) return;
  }
}
