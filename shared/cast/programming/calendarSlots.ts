import { contextPart } from '../../platform/contextParts.js';
import { FairQueue } from '../../platform/fairQueue.js';

interface CalendarSlots {
  /** One slot for each day that is read and serialised. Each open calendar of a user waits with one day at a time. */
  readonly days: FairQueue;
  /** Edits of several days. */
  readonly edits: FairQueue;
}

/** Bounds the work on calendars in one process: two months of full days are 25,000 programs. */
export const calendarSlots = contextPart((): CalendarSlots => ({
  days: new FairQueue({ running: 2, runningOfCaller: 1, waiting: Infinity, waitingOfCaller: Infinity }),
  edits: new FairQueue({ running: 2, runningOfCaller: 1, waiting: 40, waitingOfCaller: 4, maxWaitMs: 30_000 }),
}));
