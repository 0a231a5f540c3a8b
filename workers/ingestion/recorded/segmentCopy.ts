import { buffer } from 'node:stream/consumers';
import type { Content } from '../../../shared/content/content.model.js';
import type { Context } from '../../../shared/platform/context.js';

/** The context for copying the segments of a recording into a generation of its content. */
export interface SegmentCopy {
  readonly ctx: Context;
  readonly content: Content;
  readonly signal: AbortSignal;
}

/** Reads a stored file into memory. Throws NotFoundError. */
export async function readAll(ctx: Context, key: string): Promise<Buffer> {
  return buffer(await ctx.storage.read(key));
}
