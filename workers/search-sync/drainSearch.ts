import type { EnginePayload } from '../../shared/platform/search/index.js';
import type { Handler } from '../runtime/jobTypes.js';

/** `search.drain`: writes all marked documents to one engine. */
export const drainSearchHandler: Handler<EnginePayload> = ({ ctx, payload, signal }) =>
  ctx.search.maintenance.drain(payload.engine, signal);
