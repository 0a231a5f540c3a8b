import { buffer } from 'node:stream/consumers';
import type { Content } from '../../../shared/content/content.model.js';
import type { Context } from '../../../shared/platform/context.js';

/** What copies the segments of a recording into a generation of its content. */
export interface SegmentCopy {
  readonly ctx: Context;
  readonly content: Content;
  readonly signal: AbortSignal;
}

/** A stored file in memory. Throws NotFoundError. */
export async function readAll(ctx: Context, key: string): Promise<Buffer> {
  return buffer(await ctx.storage.read(key));
}
