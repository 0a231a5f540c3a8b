import type { OpenContext } from '../../shared/openContext.js';
import type { QueueName } from '../../shared/platform/queue/job.js';
import { concurrencyOf } from '../../workers/runtime/queueConcurrency.js';
import type { HandledJob } from '../../workers/runtime/jobTypes.js';
import { startRuntime } from '../../workers/runtime/worker.js';

/** Serves queues in this process as `workers/main.ts` does, with other handlers, until SIGTERM. */
export function runBenchWorker(
  ctx: OpenContext,
  handlers: Readonly<Record<string, HandledJob>>,
  queues: readonly QueueName[],
): void {
  const runtime = startRuntime(ctx, handlers, { queues, concurrencyOf: (queue) => concurrencyOf(ctx.config, queue) });
  ctx.outbox.relay();
  process.on('SIGTERM', () => void stop());
  process.send?.('ready');

  async function stop(): Promise<void> {
    await runtime.close();
    await ctx.close();
    process.exit(0);
  }
}
