import type { Handler } from '../runtime/jobTypes.js';

/** `search.sweepDrift`: marks documents that are missing, outdated, or without a row. */
export const sweepSearchDriftHandler: Handler<object> = ({ ctx, signal }) => ctx.search.maintenance.sweepDrift(signal);
