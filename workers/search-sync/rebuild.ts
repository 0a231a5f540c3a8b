import type { RebuildPayload } from '../../shared/platform/search/search.jobs.js';
import type { Handler } from '../runtime/jobTypes.js';

/** `search.rebuild`: builds one index of one engine anew while the present one goes on answering. */
export const rebuild: Handler<RebuildPayload> = ({ ctx, payload, signal }) =>
  ctx.search.maintenance.rebuild(payload.engine, payload.index, signal);
