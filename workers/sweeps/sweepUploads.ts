import { sweepDownloadTokens } from '../../shared/box/sourceDownload.service.js';
import { sweepProgress } from '../../shared/box/uploadProgress.service.js';
import { finishArrived, forgetFinished } from '../../shared/box/resumableUpload.service.js';
import { requeueImports } from '../../shared/box/importQueue.service.js';
import { removeAbandoned } from '../../shared/box/upload.service.js';
import { abandonExpired } from '../../shared/license/reservation.service.js';
import { eachRow } from '../../shared/platform/database/eachRow.js';
import { failExpiredImport } from '../imports/importFile.js';
import type { Handler } from '../runtime/jobTypes.js';

/** A file that was not written to for a day belongs to no process any more: connections without traffic are closed earlier. */
const unfinishedMilliseconds = 24 * 60 * 60_000;
const batchSize = 100;

/**
 * `box.sweepUploads`: removes what interrupted uploads have left. A reservation is marked first, so that its upload can no
 * longer become an item; then its file is removed, then the reservation. After a crash in between, the next sweep finds the
 * mark.
 */
export const sweepUploadsHandler: Handler<object> = async ({ ctx, log, signal }) => {
  const abandoned = await eachRow<string>({
    ...{ log, signal },
    read: (after) => abandonExpired(ctx, batchSize, after),
    async work(id) {
      if (!(await failExpiredImport(ctx, id))) await removeAbandoned(ctx, id);
    },
  });
  if (abandoned > 0) log.info({ uploads: abandoned }, 'abandoned uploads removed');
  const unfinished = await ctx.storage.removeUnfinished(new Date(ctx.clock.now().getTime() - unfinishedMilliseconds));
  if (unfinished > 0) log.info({ unfinished }, 'unfinished files removed');
  await finishArrived(ctx, log, signal);
  await requeueImports(ctx, batchSize);
  await forgetFinished(ctx, log, signal);
  await sweepProgress(ctx, signal);
  await sweepDownloadTokens(ctx, signal);
};
