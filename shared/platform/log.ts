import type { Logger as PinoLogger } from 'pino';

export type Logger = PinoLogger;

/** Who knows of outages. It is set when the dependencies are open, which log themselves. */
export interface OutageReceiver {
  /** Whether an error says that a server is away whose outage is in the log: `Readiness.report`. */
  report?: (error: unknown) => boolean;
}
