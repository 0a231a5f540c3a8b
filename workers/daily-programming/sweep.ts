import { removeOldParts } from '../../shared/cast/playoutSweep.service.js';
import type { Handler } from '../runtime/jobTypes.js';

/** `cast.sweepParts` */
export const sweep: Handler<object> = async ({ ctx, log, signal }) => {
  const parts = await removeOldParts(ctx, signal);
  if (parts > 0) log.info({ parts }, 'old parts of cast channels removed');
  return { parts };
};
