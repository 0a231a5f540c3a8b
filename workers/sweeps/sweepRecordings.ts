import { queueRecordings } from '../../shared/live/recording.lifecycle.js';
import type { Handler } from '../runtime/jobTypes.js';

/** `live.sweepRecordings` */
export const sweepRecordingsHandler: Handler<object> = async ({ ctx }) => ({ queued: await queueRecordings(ctx) });
