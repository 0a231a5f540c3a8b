import { createHash, randomBytes } from 'node:crypto';
import { Content } from '../content/content.model.js';
import type { Context } from '../platform/context.js';
import { NotFoundError } from '../platform/errors.js';
import { isUuid, parseContentUrn } from '../platform/formats/format.js';

/** `docs/contract.md#choices-box`. */
const tokenMilliseconds = 5 * 60_000;

/** The id in a content's urn; its plain uuid is understood too. Throws NotFoundError. */
export function contentIdIn(ctx: Context, contentId: string): string {
  const id =
    parseContentUrn(ctx.config.service.urnNamespace, contentId) ??
    (isUuid(contentId) ? contentId.toLowerCase() : undefined);
  if (id === undefined) throw new NotFoundError();
  return id;
}

/**
 * A token for one download of a content's source file, good for five minutes. For its owner, and for who holds it by a
 * license that allows it and has not expired. Throws NotFoundError, for somebody else's content like for an unknown one.
 */
export async function grantDownload(ctx: Context, userId: string, contentId: string): Promise<string> {
  const token = randomBytes(32).toString('base64url');
  const expiresAt = new Date(ctx.clock.now().getTime() + tokenMilliseconds);
  const granted = await ctx.db.change(
    `INSERT INTO download_tokens (token_hash, content_id, user_id, expires_at)
     SELECT $hash, content.id, $userId::uuid, $expiresAt
     FROM contents content
     WHERE content.id = $contentId AND content.state <> 'DELETED' AND EXISTS (
       SELECT 1 FROM box_items box LEFT JOIN acquired_licenses license ON license.box_item_id = box.id
       WHERE box.content_id = content.id AND box.owner_id = $userId::uuid AND CASE
         WHEN box.source = 'MARKET_PLACE' THEN license.download AND (license.expires_at IS NULL OR license.expires_at > $now)
         ELSE content.owner_id = $userId::uuid END)`,
    { hash: hashOf(token), userId, contentId, expiresAt, now: ctx.clock.now() },
  );
  if (granted === 0) throw new NotFoundError();
  return token;
}

/** One request for the file of a download. */
export interface DownloadRequest {
  readonly contentId: string;
  readonly token: string;
  readonly remoteAddress: string;
  /** Asks for a part of the file that does not begin at its start: goes on with what was begun. */
  readonly resumes: boolean;
  /** Asks for the headers alone: uses nothing up. */
  readonly headOnly: boolean;
}

/**
 * The file a token opens. The first request uses it up; after that it only resumes, from the address that used it, until
 * its five minutes are over. Throws NotFoundError for anything else.
 */
export async function openDownload(
  ctx: Context,
  request: DownloadRequest,
): Promise<Pick<Content, 'sourceKey' | 'sourceName'>> {
  const allowed = request.headOnly
    ? await isKnown(ctx, request)
    : (await use(ctx, request)) || (request.resumes && (await isKnown(ctx, request)));
  const content = allowed
    ? await ctx.db.model(Content).findByPk(request.contentId, { attributes: ['sourceKey', 'sourceName', 'state'] })
    : null;
  if (!content || content.state === 'DELETED') throw new NotFoundError();
  return content;
}

async function use(ctx: Context, request: DownloadRequest): Promise<boolean> {
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

async function isKnown(ctx: Context, request: DownloadRequest): Promise<boolean> {
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
