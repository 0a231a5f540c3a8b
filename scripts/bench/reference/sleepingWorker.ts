/*
 * A worker whose encoders only sleep. Everything else is as in `workers/main.ts`: queues, leases, jobs. Settings: those of a
 * worker, and SLEEP_SECONDS.
 */
import { openContext } from '../../../shared/openContext.js';
import { transcodeChunk } from '../../../shared/content/content.jobs.js';
import { readConfig } from '../../../shared/settings.js';
import { handlers } from '../../../workers/handlers.js';
import { handledBy } from '../../../workers/runtime/jobTypes.js';
import { transcodeChunkHandler } from '../../../workers/transcoding/transcodeChunk.js';
import { runBenchWorker } from '../benchWorker.js';
import { createSleepingEncoder } from './sleepingEncoder.js';

const ctx = await openContext(readConfig('worker', process.env));
const encoder = createSleepingEncoder(Number(process.env['SLEEP_SECONDS']));
const sleeping = handledBy(transcodeChunk, (run) => transcodeChunkHandler(run, encoder));
runBenchWorker(ctx, { ...handlers, [transcodeChunk.name]: sleeping }, ctx.config.worker.queues);
