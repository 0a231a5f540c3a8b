import type { Context } from '../platform/context.js';
import type { EventSubjects, EventType, StoredSubject } from '../platform/eventSubjects.js';
import type { Reader } from '../platform/formats/reader.js';

/** The reader of an event's data: its owner. */
export interface EventReader extends Reader {
  readonly ctx: Context;
  readonly userId: string;
  readonly occurredAt: Date;
}

/** Renders the data of each event type: private views, by name. Null: the subject was deleted and not recorded. */
export type EventRegistry = {
  readonly [Type in EventType]: (
    reader: EventReader,
    subject: StoredSubject<EventSubjects[Type]>,
  ) => Promise<object | null>;
};
