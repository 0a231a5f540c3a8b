import type { Transaction } from './database/database.js';

/**
 * The subject of each type of event, as JSON: ids of rows, and state that may change before the event is sent. A domain adds its
 * types with `declare module`; `shared/eventViews.ts` renders the data of each type.
 */
export interface EventSubjects {
  /** The owner of a webhook tests it. */
  readonly 'webhook.test': { readonly webhookId: string };
}

export type EventType = keyof EventSubjects;

/** The subject of an event as it is stored. */
export type StoredSubject<Subject> = Subject & {
  /** The deleted rows in their last state; absent unless they were deleted before the event was rendered. */
  readonly deleted?: object;
};

/** Records events about items of a user, which are sent to webhooks (`docs/decisions/jobs.md#webhooks`). */
export interface EventRecorder {
  /**
   * Records an event for the webhooks of its owner, in the transaction of the change. A worker renders its data from the rows
   * when it sends the event. Costs one indexed read if the owner has no webhook for it.
   */
  record<Type extends EventType>(
    tx: Transaction,
    type: Type,
    ownerId: string,
    subject: EventSubjects[Type],
  ): Promise<void>;
  /**
   * Adds deleted rows to the recorded events about them that are not rendered yet. An event is affected if its subject contains
   * any of `ids`. The caller holds the lock that prevents further events.
   */
  recordDeleted(
    tx: Transaction,
    ownerId: string,
    ids: readonly Readonly<Record<string, string>>[],
    rows: object,
  ): Promise<void>;
}
