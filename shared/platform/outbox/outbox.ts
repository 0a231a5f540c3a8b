import type { Transaction } from '../database/database.js';
import type { EnqueueOptions, Job } from '../queue/job.js';

/**
 * The only way into a queue (principle 3 of docs/architecture.md): jobs are rows of the caller's transaction, published after its commit.
 * Adding works while the queue server is down; a sweep publishes what a crash left.
 */
export interface Outbox {
  add<Name extends string, Payload extends object>(
    tx: Transaction,
    job: Job<Name, Payload>,
    payload: Payload,
    options?: EnqueueOptions,
  ): Promise<void>;
  /** The same in bulk: one statement. */
  addMany<Name extends string, Payload extends object>(
    tx: Transaction,
    job: Job<Name, Payload>,
    entries: readonly { readonly payload: Payload; readonly options?: EnqueueOptions }[],
  ): Promise<void>;
}
