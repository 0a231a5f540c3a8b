import { recordEndedSubscriptions } from '../../shared/bundle/subscriptionEvents.service.js';
import type { Handler } from '../runtime/jobTypes.js';

/** `bundle.sweepSubscriptions`: records the subscriptions that have ended since its last run. */
export const sweepSubscriptionsHandler: Handler<object> = async ({ ctx, log, signal }) => {
  const ended = await recordEndedSubscriptions(ctx, signal);
  if (ended > 0) log.info({ ended }, 'subscriptions ended');
};
