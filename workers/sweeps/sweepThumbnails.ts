import { removeUnusedThumbnails } from '../../shared/content/thumbnailRemoval.service.js';
import { thumbnailRegistry } from '../../shared/thumbnails.js';
import type { Handler } from '../runtime/jobTypes.js';

/** `box.sweepThumbnails` */
export const sweepThumbnailsHandler: Handler<object> = async ({ ctx, log, signal }) => {
  const removed = await removeUnusedThumbnails(ctx, thumbnailRegistry, signal);
  if (removed > 0) log.info({ removed }, 'unreferenced thumbnails removed');
};
