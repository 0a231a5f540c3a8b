import { requestDefaultSlate, requestSlates } from '../../shared/cast/slate.service.js';
import { channelsWithoutSlate, removeUnneeded, requeuePreparations } from '../../shared/cast/preparation.sweep.js';
import { eachRow } from '../../shared/platform/database/eachRow.js';
import type { Handler } from '../runtime/jobTypes.js';

/** `cast.sweepPreparations` */
export const sweepPreparationsHandler: Handler<object> = async ({ ctx, log, signal }) => {
  await requestDefaultSlate(ctx);
  await eachRow<string>({
    ...{ log, signal },
    read: (after) => channelsWithoutSlate(ctx, after),
    work: (channelId) => requestSlates(ctx, channelId),
  });
  const found = { queued: await requeuePreparations(ctx), removed: await removeUnneeded(ctx, signal) };
  if (found.removed > 0) log.info(found, 'cuts and slates swept');
  return found;
};
