import { removeOldAirings } from '../../shared/cast/playout.service.js';
import type { Handler } from '../runtime/jobTypes.js';

/** `cast.sweepAirings` */
export const sweepAiringsHandler: Handler<object> = async ({ ctx, log, signal }) => {
  const airings = await removeOldAirings(ctx, signal);
  if (airings > 0) log.info({ airings }, 'old airings of cast channels removed');
  return { airings };
};
