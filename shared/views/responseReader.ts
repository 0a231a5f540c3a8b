import type { Context } from '../platform/context.js';
import type { Reader } from '../platform/formats/reader.js';

/** A reader, with the context from which views read further rows. */
export interface ResponseReader extends Reader {
  readonly ctx: Context;
}
