import { FairQueue } from '../../platform/fairQueue.js';

/** Bounds the work on calendars in one process: two months of full days are 25,000 programs. */
export interface CalendarSlots {
  /** Each day that is read and written as JSON. A user waits with one day for each calendar that is open. */
  readonly days: FairQueue;
  /** Edits of several days. */
  readonly edits: FairQueue;
}

export function createCalendarSlots(): CalendarSlots {
  return {
    days: new FairQueue({ running: 2, runningOfCaller: 1, waiting: Infinity, waitingOfCaller: Infinity }),
    edits: new FairQueue({ running: 2, runningOfCaller: 1, waiting: 40, waitingOfCaller: 4, maxWaitMs: 30_000 }),
  };
}

declare module '../../platform/context.js' {
  interface Context {
    readonly calendarSlots: CalendarSlots;
  }
}
