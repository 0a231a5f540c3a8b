import type { ChannelPayload } from '../../shared/cast/playout.jobs.js';
import { extendPlayout } from '../../shared/cast/playout.service.js';
import type { Handler } from '../runtime/jobTypes.js';

/** `cast.extend` */
export const extend: Handler<ChannelPayload> = async ({ ctx, payload: { channelId } }) => {
  await extendPlayout(ctx, channelId);
};
