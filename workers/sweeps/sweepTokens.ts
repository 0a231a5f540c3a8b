import { sweepExpired } from '../../shared/oauth/tokenSweep.service.js';
import type { JobRun } from '../runtime/jobTypes.js';

/** Removes expired tokens, and accounts that were never activated. */
export async function sweepTokensHandler({ ctx, log, signal }: JobRun<object>): Promise<void> {
  const removed = await sweepExpired(ctx, signal);
  if (removed > 0) log.info({ removed }, 'expired tokens removed');
}
