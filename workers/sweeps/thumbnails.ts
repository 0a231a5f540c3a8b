import { sweepThumbnails as removeOrphans } from '../../shared/box/thumbnail.service.js';
import type { Handler } from '../runtime/jobTypes.js';

/** `box.sweepThumbnails` */
export const sweepOrphanThumbnails: Handler<object> = async ({ ctx, log, signal }) => {
  const removed = await removeOrphans(ctx, signal);
  if (removed > 0) log.info({ removed }, 'thumbnails that nothing shows were removed');
};
