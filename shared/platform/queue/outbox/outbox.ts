import type { Transaction } from '../../database/sql.js';
import type { EnqueueOptions, Job } from '../job.js';

/**
 * The transactional outbox, the only way into a queue (principle 3 of docs/architecture.md): a job is a row of the caller's
 * transaction and is published after the commit. Adding works while the queue server is down; the relay of the workers publishes
 * rows left by a crash.
 */
export interface Outbox {
  /** Throws if the payload, the key or the options violate the job's declaration. */
  add<Name extends string, Payload extends object>(
    tx: Transaction,
    job: Job<Name, Payload>,
    payload: Payload,
    options?: EnqueueOptions,
  ): Promise<void>;
  /** Adds several jobs in one statement. */
  addMany<Name extends string, Payload extends object>(
    tx: Transaction,
    job: Job<Name, Payload>,
    entries: readonly { readonly payload: Payload; readonly options?: EnqueueOptions }[],
  ): Promise<void>;
}
