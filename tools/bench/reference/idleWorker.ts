/*
 * A worker whose only job does nothing; otherwise as `workers/main.ts`. Settings: those of a worker, and STARTS_PATH, a file to
 * which each start of a job is appended as a line: the job's id and `timeOfDayMs`.
 */
import { appendFileSync } from 'node:fs';
import { openContext } from '../../../shared/openContext.js';
import { readConfig } from '../../../shared/settings.js';
import { handledBy } from '../../../workers/runtime/jobTypes.js';
import { concurrencyOf } from '../../../workers/runtime/queueConcurrency.js';
import { startRuntime } from '../../../workers/runtime/worker.js';
import { benchJob, timeOfDayMs } from '../benchJob.js';

const { STARTS_PATH = '' } = process.env;
const ctx = await openContext(readConfig('worker', process.env));
const handled = handledBy(benchJob, async ({ payload }) => {
  const startedAt = timeOfDayMs();
  appendFileSync(STARTS_PATH, `${payload.id} ${startedAt}\n`);
});
const runtime = startRuntime(
  ctx,
  { [benchJob.name]: handled },
  { queues: [benchJob.queue], concurrencyOf: (queue) => concurrencyOf(ctx.config, queue) },
);
ctx.outbox.relay();
process.on('SIGTERM', () => void stop());
process.send?.('ready');

async function stop(): Promise<void> {
  await runtime.close();
  await ctx.close();
  process.exit(0);
}
