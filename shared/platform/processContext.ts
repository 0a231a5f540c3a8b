import type { Context } from './context.js';
import type { Replica } from './database/replica.js';
import type { Mailer } from './mail/mail.js';
import type { Queues } from './queue/index.js';
import type { Readiness } from './readiness/readiness.js';
import type { Tracing } from './tracing/tracing.js';

/** The replica, with a context for requests that it answers. */
export interface ReplicaReads extends Replica {
  /** The context of the process, with `db` and `search` reading from the replica. */
  readonly context: ProcessContext;
}

/** The context with members that only the HTTP server and the worker runtime use, not domains. */
export interface ProcessContext extends Context {
  /** Null: no replica is configured, or the process is not a web process. */
  readonly replica: ReplicaReads | null;
  readonly queues: Queues;
  readonly readiness: Readiness;
  readonly mailer: Mailer;
  /** Null: no traces are recorded. */
  readonly tracing: Tracing | null;
}
