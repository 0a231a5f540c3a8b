import type { Context } from '../platform/context.js';
import type { CastCut } from './cast.model.js';

/** The stored cuts of these contents. */
export async function readyCuts(_ctx: Context, _contentIds: readonly string[]): Promise<CastCut[]> {
  throw new Error('not built');
}
