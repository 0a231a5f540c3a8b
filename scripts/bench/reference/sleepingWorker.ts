/*
 * A worker whose encoders only sleep. Everything else is as in `workers/main.ts`: queues, leases, jobs. Settings: those of a
 * worker, and SLEEP_SECONDS.
 */
import { openContext } from '../../../shared/context.js';
import { transcodeChunk } from '../../../shared/content/content.jobs.js';
import { readConfig } from '../../../shared/settings.js';
import { handlers } from '../../../workers/handlers.js';
import { concurrencyOf } from '../../../workers/runtime/concurrency.js';
import { handledBy } from '../../../workers/runtime/jobTypes.js';
import { startRuntime } from '../../../workers/runtime/worker.js';
import { transcodeChunkHandler } from '../../../workers/transcoding/transcodeChunk.js';
import { createSleepingEncoder } from './sleepingEncoder.js';

const ctx = await openContext(readConfig('worker', process.env));
const encoder = createSleepingEncoder(Number(process.env['SLEEP_SECONDS']));
const sleeping = handledBy(transcodeChunk, (run) => transcodeChunkHandler(run, encoder));
const runtime = startRuntime(
  ctx,
  { ...handlers, [transcodeChunk.name]: sleeping },
  { queues: ctx.config.worker.queues, concurrencyOf: (queue) => concurrencyOf(ctx.config, queue) },
);
ctx.outbox.relay();
process.on('SIGTERM', () => void stop());
process.send?.('ready');

async function stop(): Promise<void> {
  await runtime.close();
  await ctx.close();
  process.exit(0);
}
