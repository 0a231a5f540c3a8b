import { openContext, type OpenContext } from '../shared/openContext.js';
import { jobs } from '../shared/jobs.js';
import { reportUnknownDefaultPlan } from '../shared/license/plan.queries.js';
import { runProcess, stopWithin } from '../shared/processLifecycle.js';
import { handlers } from './handlers.js';
import { checkTools } from './media/index.js';
import { concurrencyOf } from './runtime/queueConcurrency.js';
import { assertHandled } from './runtime/jobTypes.js';
import { openMetricsPort } from './runtime/metricsPort.js';
import { traceTools } from './runtime/toolSpans.js';
import { startRuntime } from './runtime/worker.js';

/** Enough to abort the jobs in progress and to put them back into the queue. */
const maxStopMs = 5_500;

/** Queues whose jobs run ffmpeg. */
const mediaQueues: readonly string[] = [
  'ingestion',
  'arrivals',
  'quick-transcoding',
  'transcoding',
  'transcription',
  'daily-programming',
];

await runProcess({
  kind: 'worker',
  open: openContext,
  start,
  onReady: reportUnknownDefaultPlan,
  stopMs: stopWithin(maxStopMs),
});

async function start(ctx: OpenContext): Promise<(stopMs: number) => Promise<void>> {
  assertHandled(jobs, handlers);
  const { queues } = ctx.config.worker;
  if (queues.some((queue) => mediaQueues.includes(queue))) await checkTools(ctx.config.media);
  if (ctx.tracing) traceTools(ctx.tracing);
  const closeMetrics = await openMetricsPort(ctx);
  const runtime = startRuntime(ctx, handlers, {
    queues,
    concurrencyOf: (queue) => concurrencyOf(ctx.config, queue),
    // Like a stop by an operator: jobs in progress are put back, and the supervisor starts another process.
    onTooManyAbandoned: () => void process.kill(process.pid, 'SIGTERM'),
  });
  ctx.outbox.relay();
  ctx.log.info({ queues, backend: ctx.queues.backend }, 'serving queues');
  return async (stopMs) => {
    await runtime.close(stopMs);
    await closeMetrics();
  };
}
