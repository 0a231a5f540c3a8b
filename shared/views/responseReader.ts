import type { Context } from '../platform/context.js';
import type { Reader } from '../platform/formats/reader.js';

/** A reader, with what views read besides the rows that they get. */
export interface ResponseReader extends Reader {
  readonly ctx: Context;
}
