import type { Config } from '../config.js';
import type { Context } from '../context.js';
import type { Database } from '../db.js';
import type { Logger } from '../log.js';
import type { Metrics } from '../metrics.js';
import type { Outbox } from '../outbox.js';
import type { IndexDefinition, Search } from './search.js';

export interface SearchOptions {
  readonly config: Config;
  readonly db: Database;
  readonly outbox: Outbox;
  readonly log: Logger;
  readonly metrics: Metrics;
  readonly indexes: readonly IndexDefinition[];
  /** The context that index definitions are called with; it exists by then. */
  readonly context: () => Context;
}

export function openSearch(_options: SearchOptions): { search: Search; close: () => Promise<void> } {
  throw new Error('to be built');
}
