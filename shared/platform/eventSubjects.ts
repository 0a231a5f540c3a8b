import type { Transaction } from './database/database.js';

/**
 * What each type of event is about: ids of rows, and the state of that moment that may change before the event is sent, as JSON. A
 * domain adds its types where it records them, by `declare module`; `shared/eventViews.ts` renders the data of each.
 */
export interface EventSubjects {
  /** The owner of a webhook wants to see whether it works. */
  readonly 'webhook.test': { readonly webhookId: string };
}

export type EventType = keyof EventSubjects;

/** The subject of an event as it is stored. */
export type StoredSubject<Subject> = Subject & {
  /** Its rows as they were when they were deleted; absent: they were not deleted before the event was rendered. */
  readonly deleted?: object;
};

/** Something has happened to what a user owns, and is sent to webhooks (`docs/decisions/jobs.md#webhooks`). */
export interface EventRecorder {
  /**
   * Records an event for the webhooks of its owner, in the transaction that makes it true. A worker renders its data from the rows when
   * it sends the event. Costs one indexed read if the owner has no webhook for it.
   */
  record<Type extends EventType>(
    tx: Transaction,
    type: Type,
    ownerId: string,
    subject: EventSubjects[Type],
  ): Promise<void>;
  /**
   * Stores rows that are deleted with the events about them that are not rendered yet. `ids`: any of them in a subject. The caller holds
   * the lock that excludes further events.
   */
  recordDeleted(
    tx: Transaction,
    ownerId: string,
    ids: readonly Readonly<Record<string, string>>[],
    rows: object,
  ): Promise<void>;
}
