import { downloadableItems, issueDownloadToken } from '../box/sourceDownload.service.js';
import type { Context } from '../platform/context.js';
import { NotFoundError } from '../platform/errors.js';
import { acquiredLicensesOf } from './acquiredLicense.queries.js';

/**
 * A token for one download of a content's source file, valid for five minutes (`docs/contract.md#choices-box`).
 * Permitted for the uploader, and for a user with an unexpired license that permits downloads. Throws NotFoundError,
 * also for another user's content.
 */
export async function grantDownload(ctx: Context, userId: string, contentId: string): Promise<string> {
  const items = await downloadableItems(ctx, userId, contentId);
  const acquired = items.filter(({ source }) => source === 'MARKET_PLACE').map(({ id }) => id);
  const isOwn = items.some(({ source, isUploader }) => source !== 'MARKET_PLACE' && isUploader);
  if (!isOwn && !(await permitsDownload(ctx, acquired))) throw new NotFoundError();
  return issueDownloadToken(ctx, userId, contentId);
}

async function permitsDownload(ctx: Context, boxItemIds: readonly string[]): Promise<boolean> {
  const now = ctx.clock.now();
  const licenses = await acquiredLicensesOf(ctx, boxItemIds);
  return [...licenses.values()].some(({ download, expiresAt }) => download && (expiresAt === null || expiresAt > now));
}
