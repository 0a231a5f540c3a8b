import { checkRights } from '../../shared/cast/programming/rights.service.js';
import type { Handler } from '../runtime/jobTypes.js';

/** `cast.sweepRights` */
export const sweepRightsHandler: Handler<object> = async ({ ctx, log, signal }) => {
  const contents = await checkRights(ctx, signal);
  if (contents > 0) log.info({ contents }, 'rights of programs changed');
};
