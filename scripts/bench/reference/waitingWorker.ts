/* A worker that processes uploads when they are whole: it does not serve the queue `arrivals`. Settings: those of a worker. */
import { openContext } from '../../../shared/openContext.js';
import { readConfig } from '../../../shared/settings.js';
import { handlers } from '../../../workers/handlers.js';
import { runBenchWorker } from '../benchWorker.js';

const ctx = await openContext(readConfig('worker', process.env));
const queues = ctx.config.worker.queues.filter((queue) => queue !== 'arrivals' && queue !== 'transcoding');
runBenchWorker(ctx, handlers, queues);
