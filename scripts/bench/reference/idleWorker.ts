/*
 * A worker whose only job does nothing. Everything else is as in `workers/main.ts`. Settings: those of a worker, and STARTS_PATH and
 * STARTS_COUNT; see `noteStarts`.
 */
import { openContext } from '../../../shared/openContext.js';
import { readConfig } from '../../../shared/settings.js';
import { handledBy } from '../../../workers/runtime/jobTypes.js';
import { benchJob } from '../benchJob.js';
import { runBenchWorker } from '../benchWorker.js';
import { noteStarts } from '../startTimes.js';

const { STARTS_PATH = '', STARTS_COUNT } = process.env;
const note = noteStarts(STARTS_PATH, Number(STARTS_COUNT));
const ctx = await openContext(readConfig('worker', process.env));
const handled = handledBy(benchJob, async ({ payload }) => note(payload.id));
runBenchWorker(ctx, { [benchJob.name]: handled }, [benchJob.queue]);
