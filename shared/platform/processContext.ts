import type { Context } from './context.js';
import type { Replica } from './database/replica.js';
import type { Mailer } from './mail/mail.js';
import type { Queues } from './queue/index.js';
import type { Readiness } from './readiness/readiness.js';
import type { Tracing } from './tracing/tracing.js';

/** The replica, with the context of requests that it answers. */
export interface ReplicaReads extends Replica {
  /** The same as that of the process, with `db` and `search` that read from the replica. */
  readonly context: ProcessContext;
}

/** The context with what only the HTTP server and the worker runtime use, and no domain. */
export interface ProcessContext extends Context {
  /** Null: none is configured, or this is no web process. */
  readonly replica: ReplicaReads | null;
  readonly queues: Queues;
  readonly readiness: Readiness;
  readonly mailer: Mailer;
  /** Null: no traces are recorded. */
  readonly tracing: Tracing | null;
}
