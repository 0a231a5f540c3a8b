import { createHash, randomBytes } from 'node:crypto';
import { Content } from '../content/content.model.js';
import type { Context } from '../platform/context.js';
import { NotFoundError } from '../platform/errors.js';
import { parseContentUrn } from '../content/contentUrn.js';
import { isUuid } from '../platform/formats/format.js';
import type { BoxSource } from './box.model.js';
import { DownloadToken } from './upload.model.js';

/** `docs/contract.md#choices-box`. */
const tokenMilliseconds = 5 * 60_000;

/** The id of a content from its URN or plain UUID. Throws NotFoundError for anything else. */
export function contentIdIn(ctx: Context, contentId: string): string {
  const id =
    parseContentUrn(ctx.config.service.urnNamespace, contentId) ??
    (isUuid(contentId) ? contentId.toLowerCase() : undefined);
  if (id === undefined) throw new NotFoundError();
  return id;
}

/** A box item of a content that is not deleted. */
interface DownloadableItem {
  readonly id: string;
  readonly source: BoxSource;
  /** Whether the box item's owner uploaded the content. */
  readonly isUploader: boolean;
}

/** The user's box items of a content; none where it is deleted. */
export function downloadableItems(ctx: Context, userId: string, contentId: string): Promise<DownloadableItem[]> {
  return ctx.db.rows<DownloadableItem>(
    `SELECT box.id, box.source, content.owner_id = box.owner_id AS is_uploader
       FROM box_items box JOIN contents content ON content.id = box.content_id
      WHERE box.content_id = $contentId AND box.owner_id = $userId AND content.state <> 'DELETED'`,
    { userId, contentId },
  );
}

/**
 * A token for one download, valid for five minutes. Whether the user may download the content is checked by the caller,
 * `grantDownload` of `shared/marketplace/download.service.ts`, which also knows the acquired licenses.
 */
export async function issueDownloadToken(ctx: Context, userId: string, contentId: string): Promise<string> {
  const token = randomBytes(32).toString('base64url');
  const expiresAt = new Date(ctx.clock.now().getTime() + tokenMilliseconds);
  await ctx.db.model(DownloadToken).create({ tokenHash: hashOf(token), contentId, userId, expiresAt });
  return token;
}

/** A request for the file of a download. */
export interface DownloadRequest {
  readonly contentId: string;
  readonly token: string;
  readonly remoteAddress: string;
  /** Requests a range that does not begin at the first byte: continues an interrupted download. */
  readonly resumes: boolean;
  /** A HEAD request: does not use the token. */
  readonly headOnly: boolean;
}

/**
 * The file of a download token. The first request uses the token. After that it is accepted only to resume the download,
 * from the same address, until its five minutes are over. Throws NotFoundError for anything else.
 */
export async function openDownload(
  ctx: Context,
  request: DownloadRequest,
): Promise<Pick<Content, 'sourceKey' | 'sourceName'>> {
  const allowed = request.headOnly
    ? await mayResume(ctx, request)
    : (await takeToken(ctx, request)) || (request.resumes && (await mayResume(ctx, request)));
  const content = allowed
    ? await ctx.db.model(Content).findByPk(request.contentId, { attributes: ['sourceKey', 'sourceName', 'state'] })
    : null;
  if (!content || content.state === 'DELETED') throw new NotFoundError();
  return content;
}

/** Marks the token as used; false where it is unknown, expired or used already. */
async function takeToken(ctx: Context, request: DownloadRequest): Promise<boolean> {
  const used = await ctx.db.change(
    `UPDATE download_tokens SET used_at = $now, used_from = $remoteAddress
     WHERE token_hash = $hash AND content_id = $contentId AND expires_at > $now AND used_at IS NULL`,
    {
      hash: hashOf(request.token),
      contentId: request.contentId,
      remoteAddress: request.remoteAddress,
      now: ctx.clock.now(),
    },
  );
  return used > 0;
}

/** Whether the token is valid, and unused or used by this address. */
async function mayResume(ctx: Context, request: DownloadRequest): Promise<boolean> {
  const rows = await ctx.db.rows(
    `SELECT 1 FROM download_tokens
     WHERE token_hash = $hash AND content_id = $contentId AND expires_at > $now AND (used_at IS NULL OR used_from = $remoteAddress)`,
    {
      hash: hashOf(request.token),
      contentId: request.contentId,
      remoteAddress: request.remoteAddress,
      now: ctx.clock.now(),
    },
  );
  return rows.length > 0;
}

export async function sweepDownloadTokens(ctx: Context): Promise<void> {
  await ctx.db.change('DELETE FROM download_tokens WHERE expires_at < $now', { now: ctx.clock.now() });
}

function hashOf(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}
