import { preparedSeconds, upcomingCuts, requestCuts } from '../../shared/cast/cut.service.js';
import type { CastChannelPayload } from '../../shared/cast/cast.jobs.js';
import { extendPlayout, recordPreparedUntil } from '../../shared/cast/playout.service.js';
import { requestSlates } from '../../shared/cast/slate.service.js';
import type { Handler } from '../runtime/jobTypes.js';

/** `cast.extend`: decides the next segments of a channel, and requests the cuts and slates that will be needed. */
export const extendChannelHandler: Handler<CastChannelPayload> = async ({ ctx, payload: { channelId } }) => {
  const preparedUntil = new Date((await ctx.databaseTime.now(ctx)) / 1000 + preparedSeconds * 1000);
  await extendPlayout(ctx, channelId);
  await requestSlates(ctx, channelId);
  await requestCuts(ctx, await upcomingCuts(ctx, channelId));
  await recordPreparedUntil(ctx, channelId, preparedUntil);
};
