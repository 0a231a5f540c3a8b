import type { Context } from '../platform/context.js';
import type { EventSubjects, EventType, StoredSubject } from '../platform/eventSubjects.js';
import type { Reader } from '../platform/formats/reader.js';

/** Who reads the data of an event: its owner. */
export interface EventReader extends Reader {
  readonly ctx: Context;
  readonly userId: string;
  readonly occurredAt: Date;
}

/** Renders the data of each type of event: private views, by name. Null: its subject is gone and was not recorded. */
export type EventRegistry = {
  readonly [Type in EventType]: (
    reader: EventReader,
    subject: StoredSubject<EventSubjects[Type]>,
  ) => Promise<object | null>;
};
