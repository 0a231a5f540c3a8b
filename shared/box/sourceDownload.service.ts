import { createHash, randomBytes } from 'node:crypto';
import type { Content } from '../content/content.model.js';
import type { Context } from '../platform/context.js';
import { deleteInBatches } from '../platform/database/deleteInBatches.js';
import { NotFoundError } from '../platform/errors.js';
import { parseContentUrn } from '../content/contentUrn.js';
import { isUuid } from '../platform/formats/format.js';
import type { BoxSource } from './box.model.js';
import { DownloadToken } from './downloadToken.model.js';

/** `docs/contract.md#choices-box`. */
const tokenMilliseconds = 5 * 60_000;

/** The content id in a URN or a plain UUID. Throws NotFoundError for anything else. */
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
  /** The box item's owner uploaded the content. */
  readonly isUploader: boolean;
}

/** The user's box items of a content; none if the content is deleted. */
export function downloadableItems(ctx: Context, userId: string, contentId: string): Promise<DownloadableItem[]> {
  return ctx.db.rows<DownloadableItem>(
    `SELECT box.id, box.source, content.owner_id = box.owner_id AS is_uploader
       FROM box_items box JOIN contents content ON content.id = box.content_id
      WHERE box.content_id = $contentId AND box.owner_id = $userId AND content.state <> 'DELETED'`,
    { userId, contentId },
  );
}

/** Maximum number of unexpired tokens of a user; a further token revokes the oldest. */
const maxTokens = 50;

/**
 * A token for one download, valid for five minutes. The caller checks that the user may download the content:
 * `grantDownload` of `shared/marketplace/licensedDownload.service.ts`, which also knows the acquired licenses.
 */
export async function issueDownloadToken(ctx: Context, userId: string, contentId: string): Promise<string> {
  const token = randomBytes(32).toString('base64url');
  const expiresAt = new Date(ctx.clock.now().getTime() + tokenMilliseconds);
  const tokenHash = hashOf(token);
  await ctx.db.model(DownloadToken).create({ tokenHash, contentId, userId, expiresAt });
  await ctx.db.change(
    `DELETE FROM download_tokens WHERE token_hash IN (
       SELECT token_hash FROM download_tokens WHERE user_id = $userId AND token_hash <> $tokenHash
        ORDER BY expires_at DESC OFFSET $olderTokens::int)`,
    { userId, tokenHash, olderTokens: maxTokens - 1 },
  );
  return token;
}

export interface DownloadRequest {
  readonly contentId: string;
  readonly token: string;
  readonly remoteAddress: string;
  /** The request has one open-ended range after the first byte: it resumes an interrupted download. */
  readonly resumes: boolean;
  /** A HEAD request: returns no bytes, and does not use the token. */
  readonly headOnly: boolean;
}

export interface OpenedDownload extends Pick<Content, 'sourceKey' | 'sourceName'> {
  /** User code of the downloader, whose license counts the bytes. */
  readonly userCode: string;
  /** The request resumes an earlier download. */
  readonly isResumed: boolean;
}

/**
 * Opens the file of a download token. The first request uses the token. One more request from the same address may
 * resume the download until the token expires. A token therefore sends each byte of the file at most twice. Each use is
 * one conditional update, so that only one of several concurrent requests is accepted. Throws NotFoundError for all
 * other requests.
 */
export async function openDownload(ctx: Context, request: DownloadRequest): Promise<OpenedDownload> {
  const use = await useOf(ctx, request);
  if (!use) throw new NotFoundError();
  const [file] = await ctx.db.rows<Omit<OpenedDownload, 'isResumed'>>(
    `SELECT content.source_key, content.source_name, users.user_code
       FROM contents content JOIN users ON users.id = $userId
      WHERE content.id = $contentId AND content.state <> 'DELETED'`,
    { userId: use.userId, contentId: request.contentId },
  );
  if (!file) throw new NotFoundError();
  return { ...file, isResumed: use.isResumed };
}

interface TokenOwner {
  readonly userId: string;
}

/** Undefined: the token does not permit the request. */
async function useOf(
  ctx: Context,
  request: DownloadRequest,
): Promise<(TokenOwner & { readonly isResumed: boolean }) | undefined> {
  const [first] = await (request.headOnly ? isKnown(ctx, request) : useToken(ctx, request));
  if (first || request.headOnly || !request.resumes) return first && { ...first, isResumed: false };
  const [resumed] = await resumeToken(ctx, request);
  return resumed && { ...resumed, isResumed: true };
}

const isValid = 'token_hash = $hash AND content_id = $contentId AND expires_at > $now';

function bindsOf(ctx: Context, { token, contentId, remoteAddress }: DownloadRequest): Record<string, unknown> {
  return { hash: hashOf(token), contentId, remoteAddress, now: ctx.clock.now() };
}

/** Marks the token as used. Empty: the token is unknown, expired or already used. */
function useToken(ctx: Context, request: DownloadRequest): Promise<TokenOwner[]> {
  return ctx.db.rows<TokenOwner>(
    `UPDATE download_tokens SET used_at = $now, used_from = $remoteAddress WHERE ${isValid} AND used_at IS NULL RETURNING user_id`,
    bindsOf(ctx, request),
  );
}

/** Marks the token as resumed. Empty: the token was already resumed, or was used by another address. */
function resumeToken(ctx: Context, request: DownloadRequest): Promise<TokenOwner[]> {
  return ctx.db.rows<TokenOwner>(
    `UPDATE download_tokens SET resumed_at = $now
      WHERE ${isValid} AND used_from = $remoteAddress AND resumed_at IS NULL RETURNING user_id`,
    bindsOf(ctx, request),
  );
}

/** Finds the token if it is valid, and unused or used by this address. */
function isKnown(ctx: Context, request: DownloadRequest): Promise<TokenOwner[]> {
  return ctx.db.rows<TokenOwner>(
    `SELECT user_id FROM download_tokens WHERE ${isValid} AND (used_at IS NULL OR used_from = $remoteAddress)`,
    bindsOf(ctx, request),
  );
}

/** Deletes expired tokens. */
export async function sweepDownloadTokens(ctx: Context, signal: AbortSignal): Promise<void> {
  await deleteInBatches(
    ctx,
    'DELETE FROM download_tokens WHERE token_hash IN (SELECT token_hash FROM download_tokens WHERE expires_at < $now LIMIT $batchRows)',
    { now: ctx.clock.now() },
    signal,
  );
}

function hashOf(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}
