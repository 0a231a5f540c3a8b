import type { Context } from '../platform/context.js';
import type { EventSubjects, EventType } from '../platform/eventSubjects.js';
import type { Reader } from '../platform/formats/reader.js';

/** Who reads the data of an event: its owner. Reads of the context are part of the transaction of the event. */
export interface EventReader extends Reader {
  readonly ctx: Context;
  readonly userId: string;
}

/** The data of each type of event: private views, by name. Null: it is gone, and there is no event. */
export type EventRegistry = {
  readonly [Type in EventType]: (reader: EventReader, subject: EventSubjects[Type]) => Promise<object | null>;
};
