import type { Handler } from '../runtime/jobTypes.js';

/** `search.sweepDrift`: marks what an engine lacks, or holds without a row. */
export const sweepDrift: Handler<object> = ({ ctx, signal }) => ctx.search.maintenance.sweepDrift(signal);
