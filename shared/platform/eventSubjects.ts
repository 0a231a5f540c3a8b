import type { Transaction } from './database/database.js';

/**
 * What each type of event is about: ids of rows. A domain adds its types where it records them, by `declare module`;
 * `shared/eventViews.ts` says how the data of each is read.
 */
export interface EventSubjects {
  /** The owner of a webhook wants to see whether it works. */
  readonly 'webhook.test': { readonly webhookId: string };
}

export type EventType = keyof EventSubjects;

/** Something has happened to what a user owns, and is sent to webhooks (`docs/decisions/jobs.md#webhooks`). */
export interface EventRecorder {
  /**
   * Records an event for the webhooks of its owner, in the transaction that makes it true, as its last step: the data are read
   * here. If they cannot be read, the transaction continues, and they are read later. Costs one indexed read where the owner has no
   * webhook for it.
   */
  record<Type extends EventType>(
    tx: Transaction,
    type: Type,
    ownerId: string,
    subject: EventSubjects[Type],
  ): Promise<void>;
  /** Reads the data of events for which that has failed, each for itself. Resolves with the number of events that are sent now. */
  recordUnrendered(signal: AbortSignal): Promise<number>;
}
