import { HeldElsewhereError } from '../../shared/platform/lease/index.js';
import type { RebuildPayload } from '../../shared/platform/search/index.js';
import type { Handler } from '../runtime/jobTypes.js';

/** `search.rebuild`: builds one index of one engine from its current definition, while searches use the previous build. */
export const rebuildSearchHandler: Handler<RebuildPayload> = async ({ ctx, payload: { engine, index }, signal }) => {
  const { maintenance } = ctx.search;
  if (await maintenance.isBuilt(engine, index)) return { skipped: 'the index is built' };
  if (await maintenance.rebuild(engine, index, signal)) return { rebuilt: true };
  throw new HeldElsewhereError('another rebuild of the index is in progress');
};
