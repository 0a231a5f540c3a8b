import type { Clock } from './systemClock.js';
import type { Config } from './config.js';
import type { ContextParts } from './contextParts.js';
import type { Database, DatabaseTime } from './database/database.js';
import type { EventRecorder } from './eventSubjects.js';
import type { Translate } from './i18n.js';
import type { Logger } from './log.js';
import type { Metrics } from './metrics.js';
import type { Outbox } from './queue/index.js';
import type { Search } from './search/index.js';
import type { Storage } from './storage/storage.js';

/**
 * The first argument of every service function. All its members are interfaces that load no implementation.
 * `shared/openContext.ts` opens and closes it.
 */
export interface Context {
  readonly config: Config;
  readonly log: Logger;
  /** The clock of this machine. */
  readonly clock: Clock;
  readonly databaseTime: DatabaseTime;
  readonly db: Database;
  readonly outbox: Outbox;
  readonly events: EventRecorder;
  readonly search: Search;
  readonly storage: Storage;
  readonly metrics: Metrics;
  readonly translate: Translate;
  /** Objects that modules keep in this process, such as caches: `contextPart`. */
  readonly parts: ContextParts;
}
