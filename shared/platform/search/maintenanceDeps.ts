import type { Clock } from '../systemClock.js';
import type { Context } from '../context.js';
import type { Database } from '../database/database.js';
import type { Logger } from '../log.js';
import type { Outbox } from '../outbox/outbox.js';
import type { IndexDefinition } from './indexDefinition.js';

/** What drains, rebuilds and sweeps work with. */
export interface MaintenanceDeps {
  readonly db: Database;
  readonly outbox: Outbox;
  readonly log: Logger;
  readonly clock: Clock;
  readonly indexes: readonly IndexDefinition[];
  readonly indexNames: readonly string[];
  /** The context that index definitions are called with. */
  readonly context: () => Context;
}
