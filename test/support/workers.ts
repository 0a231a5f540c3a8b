import type { OpenContext } from '../../shared/openContext.js';
import { jobs } from '../../shared/jobs.js';
import type { ProcessContext } from '../../shared/platform/processContext.js';
import type { QueueName } from '../../shared/platform/queueNames.js';
import { concurrencyOf } from '../../workers/runtime/queueConcurrency.js';
import { handlers } from '../../workers/handlers.js';
import { assertHandled, type HandledJob, type JobRun } from '../../workers/runtime/jobTypes.js';
import { startRuntime } from '../../workers/runtime/worker.js';
import { createWorkerContext } from '../../workers/runtime/workerContext.js';
import { noteOpened } from './testFaults.js';

/** The real worker runtime in this process: by default with every queue and every handler. */
export async function startWorkers(
  ctx: OpenContext,
  options: {
    queues?: readonly QueueName[];
    handlers?: Readonly<Record<string, HandledJob>>;
    onTooManyAbandoned?: () => void;
  } = {},
): Promise<{ close: () => Promise<void> }> {
  assertHandled(jobs, handlers);
  const runtime = startRuntime(ctx, options.handlers ?? handlers, {
    queues: options.queues ?? ctx.config.worker.queues,
    concurrencyOf: (queue) => concurrencyOf(ctx.config, queue),
    ...(options.onTooManyAbandoned ? { onTooManyAbandoned: options.onTooManyAbandoned } : {}),
  });
  ctx.outbox.relay();
  const closed = noteOpened('workers');
  return {
    async close() {
      await runtime.close();
      closed();
    },
  };
}

/** The argument of a handler called in this process: by default, the first and last attempt of a job. */
export function jobRunOf<Payload>(
  ctx: ProcessContext,
  payload: Payload,
  run: Partial<JobRun<Payload>> = {},
): JobRun<Payload> {
  return {
    ...{ ctx: createWorkerContext(ctx), log: ctx.log, payload, signal: new AbortController().signal },
    ...{ attempt: 1, isLastAttempt: true, reportProgress: () => {}, ...run },
  };
}
