import type { Logger as PinoLogger } from 'pino';

export type Logger = PinoLogger;

/** Receives errors of outages. `report` is set after the logger, because opening the dependencies needs the logger. */
export interface OutageReceiver {
  /** Whether an error belongs to an outage that is logged already: `Readiness.report`. */
  report?: (error: unknown) => boolean;
}
