import type { Clock } from './systemClock.js';
import type { Concurrency } from './concurrency.js';
import type { Config } from './config.js';
import type { ContextParts } from './contextParts.js';
import type { Database, DatabaseTime } from './database/database.js';
import type { Replica } from './database/replica.js';
import type { EventRecorder } from './eventSubjects.js';
import type { Translate } from './i18n.js';
import type { Logger } from './log.js';
import type { Mailer } from './mail/mail.js';
import type { Metrics } from './metrics.js';
import type { Outbox } from './outbox/outbox.js';
import type { Queues } from './queue/queue.js';
import type { Readiness } from './readiness/readiness.js';
import type { PasswordThreads } from './security/passwordThreads.js';
import type { Search } from './search/search.js';
import type { SharedConcurrency } from './sharedConcurrency.js';
import type { Storage } from './storage/storage.js';
import type { Tracing } from './tracing/tracing.js';

/** The replica, with the context of requests that it answers. */
export interface ReplicaReads extends Replica {
  /** The same as that of the process, with `db` and `search` that read from the replica. */
  readonly context: Context;
}

/** Everything that a process has opened, passed as the first argument. `shared/openContext.ts` builds and closes it. */
export interface Context {
  readonly config: Config;
  readonly log: Logger;
  /** Of this machine. */
  readonly clock: Clock;
  readonly databaseTime: DatabaseTime;
  readonly db: Database;
  /** Null: none is configured, or this is no web process. */
  readonly replica: ReplicaReads | null;
  readonly queues: Queues;
  readonly readiness: Readiness;
  readonly outbox: Outbox;
  readonly events: EventRecorder;
  readonly search: Search;
  readonly storage: Storage;
  readonly mailer: Mailer;
  readonly metrics: Metrics;
  /** Null: no traces are recorded. */
  readonly tracing: Tracing | null;
  readonly concurrency: Concurrency;
  readonly sharedConcurrency: SharedConcurrency;
  readonly passwordThreads: PasswordThreads;
  readonly translate: Translate;
  /** What domains keep in this process: `contextPart`. */
  readonly parts: ContextParts;
}
