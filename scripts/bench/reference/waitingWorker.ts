/* A worker that processes uploads when they are whole: it does not serve the queue `arrivals`. Settings: those of a worker. */
import { openContext } from '../../../shared/context.js';
import { readConfig } from '../../../shared/settings.js';
import { handlers } from '../../../workers/handlers.js';
import { concurrencyOf } from '../../../workers/runtime/concurrency.js';
import { startRuntime } from '../../../workers/runtime/worker.js';

const ctx = await openContext(readConfig('worker', process.env));
const queues = ctx.config.worker.queues.filter((queue) => queue !== 'arrivals' && queue !== 'transcoding');
const runtime = startRuntime(ctx, handlers, { queues, concurrencyOf: (queue) => concurrencyOf(ctx.config, queue) });
ctx.outbox.relay();
process.on(
  'SIGTERM',
  () =>
    void runtime
      .close()
      .then(() => ctx.close())
      .then(() => process.exit(0)),
);
process.send?.('ready');
