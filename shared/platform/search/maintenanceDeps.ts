import type { Clock } from '../systemClock.js';
import type { SqlDatabase } from '../database/sql.js';
import type { Logger } from 'pino';
import type { Outbox } from '../queue/index.js';
import type { BoundIndex } from './indexDefinition.js';

/** The dependencies of drains, rebuilds and sweeps. */
export interface MaintenanceDeps {
  readonly db: SqlDatabase;
  readonly outbox: Outbox;
  readonly log: Logger;
  readonly clock: Clock;
  readonly indexes: readonly BoundIndex[];
  readonly indexNames: readonly string[];
}
