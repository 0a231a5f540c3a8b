import { jobs } from '../shared/jobs.js';
import { concurrencyOf } from './runtime/concurrency.js';
import { handlers } from './handlers.js';
import { checkTools } from './media/checkTools.js';
import { openMetricsPort } from './runtime/metricsPort.js';
import { runProcess } from './runtime/processLifecycle.js';
import { assertHandled } from './runtime/jobTypes.js';
import { startRuntime } from './runtime/worker.js';

/** Of the seven seconds that a stop may take; the rest is for closing what is open. */
const closeMs = 5_500;

/** Those whose jobs run ffmpeg. */
const mediaQueues: readonly string[] = ['ingestion', 'transcoding'];

await runProcess('worker', async (ctx) => {
  assertHandled(jobs, handlers);
  const { queues } = ctx.config.worker;
  if (queues.some((queue) => mediaQueues.includes(queue))) await checkTools(ctx.config.media);
  const closeMetrics = await openMetricsPort(ctx);
  const runtime = startRuntime(ctx, handlers, { queues, concurrencyOf: (queue) => concurrencyOf(ctx.config, queue) });
  ctx.outbox.relay();
  ctx.log.info({ queues, backend: ctx.queues.backend }, 'serving');
  return async () => {
    await runtime.close(closeMs);
    await closeMetrics();
  };
});
