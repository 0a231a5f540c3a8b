import type { RebuildPayload } from '../../shared/platform/search/search.jobs.js';
import type { Handler } from '../runtime/jobTypes.js';

/** `search.rebuild`: builds one index of one engine again, while searches use the present one. */
export const rebuild: Handler<RebuildPayload> = ({ ctx, payload, signal }) =>
  ctx.search.maintenance.rebuild(payload.engine, payload.index, signal);
