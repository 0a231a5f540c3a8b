import { upcomingCuts, wantCuts } from '../../shared/cast/cut.service.js';
import type { CastChannelPayload } from '../../shared/cast/cast.jobs.js';
import { extendPlayout } from '../../shared/cast/playout.service.js';
import { wantSlates } from '../../shared/cast/slate.service.js';
import type { Handler } from '../runtime/jobTypes.js';

/** `cast.extend`: decides what comes next, and has made what will be missing. */
export const extendChannelHandler: Handler<CastChannelPayload> = async ({ ctx, payload: { channelId } }) => {
  await extendPlayout(ctx, channelId);
  await wantSlates(ctx, channelId);
  await wantCuts(ctx, await upcomingCuts(ctx, channelId));
};
