import { sweepDownloadTokens } from '../../shared/box/sourceDownload.service.js';
import { sweepProgress } from '../../shared/upload/uploadProgress.service.js';
import { finishArrived, removeFinishedUploads } from '../../shared/upload/tus.driver.js';
import { requeueImports } from '../../shared/upload/importQueue.service.js';
import { expireUploads } from '../../shared/upload/upload.service.js';
import { failExpiredImport } from '../imports/importFile.js';
import type { Handler } from '../runtime/jobTypes.js';

/** A file without a write for a day is not in use, because idle connections are closed earlier. */
const unfinishedMilliseconds = 24 * 60 * 60_000;
const batchSize = 100;

/** `box.sweepUploads`: removes files and rows of interrupted uploads, and continues uploads whose request or job was lost. */
export const sweepUploadsHandler: Handler<object> = async ({ ctx, log, signal }) => {
  const abandoned = await expireUploads(ctx, { log, signal }, (upload) => failExpiredImport(ctx, upload));
  if (abandoned > 0) log.info({ uploads: abandoned }, 'abandoned uploads removed');
  const unfinished = await ctx.storage.removeUnfinished(new Date(ctx.clock.now().getTime() - unfinishedMilliseconds));
  if (unfinished > 0) log.info({ unfinished }, 'unfinished files removed');
  await finishArrived(ctx, log, signal);
  await requeueImports(ctx, batchSize);
  await removeFinishedUploads(ctx, log, signal);
  await sweepProgress(ctx, signal);
  await sweepDownloadTokens(ctx, signal);
};
