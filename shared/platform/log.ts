import type { Logger as PinoLogger } from 'pino';

export type Logger = PinoLogger;

/** Receives errors of outages. Set when the dependencies are open, because they log errors themselves. */
export interface OutageReceiver {
  /** Whether an error belongs to an outage that is logged already: `Readiness.report`. */
  report?: (error: unknown) => boolean;
}
