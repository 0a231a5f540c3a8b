import { createHash, timingSafeEqual } from 'node:crypto';
import { streamingAllowanceOf } from '../license/streamingHours.service.js';
import { rememberedDays } from '../oauth/loginNetworks.js';
import type { Context } from '../platform/context.js';
import { TooManyRequestsError } from '../platform/errors.js';
import { networkOf } from '../platform/formats/network.js';
import { limitFailures } from '../platform/throttle/throttle.js';
import { livePasswordOf } from '../user/livePassword.js';
import { findUserByCode } from '../user/user.queries.js';
import { publishSubjects } from './publishAttempts.js';
import type { RefusalReason } from './refusedEncoder.js';
import { LiveStream } from './streaming.model.js';

export interface PublisherCredentials {
  readonly userCode: string;
  /** The sent live password, or a function that verifies the encoder's response to a challenge. */
  readonly livePassword: string | ((livePassword: string) => boolean);
}

export interface PublishedStream {
  readonly id: string;
  readonly ownerId: string;
  readonly path: string;
}

/** The reason why an encoder may not publish. */
export interface Rejected {
  readonly allowed: false;
  /** The reason in logs. */
  readonly reason: string;
  /**
   * The reason for the owner, and for the encoder if `isLoggedIn`. Null: the owner has no such stream, or has already seen the
   * reason.
   */
  readonly refusal: RefusalReason | null;
  /** The encoder knows the live password. If not, it must not learn which part was wrong. */
  readonly isLoggedIn: boolean;
}

/** Checks only user code and live password, for encoders that log in before they name a stream. */
export async function authenticatePublisher(
  ctx: Context,
  { userCode, livePassword }: PublisherCredentials,
): Promise<{ readonly allowed: true; readonly userId: string } | Rejected> {
  const user = await findUserByCode(ctx, userCode);
  if (!user) return rejected('unknown user', null);
  const expected = livePasswordOf(ctx, user);
  if (expected === undefined) return rejected('user has no live password', 'NO_LIVE_PASSWORD');
  const isKnown = typeof livePassword === 'string' ? isSame(livePassword, expected) : livePassword(expected);
  if (!isKnown) return rejected('wrong live password', 'WRONG_LOGIN');
  if (user.state === 'ACTIVE') return { allowed: true, userId: user.id };
  return rejectedOwner('user disabled or not activated', 'USER_DISABLED');
}

/**
 * Whether an encoder may publish to a path: an active user who knows the live password, an own live channel or cast stream,
 * and streaming hours left; `docs/contract.md#choices-live`, `docs/contract.md#choices-cast`.
 */
export async function authorizePublish(
  ctx: Context,
  { streamPath, ...credentials }: PublisherCredentials & { readonly streamPath: string },
): Promise<{ readonly allowed: true; readonly stream: PublishedStream } | Rejected> {
  const publisher = await authenticatePublisher(ctx, credentials);
  if (!publisher.allowed) return publisher;
  const row = await ctx.db.model(LiveStream).findOne({ where: { path: streamPath } });
  if (!row) return rejectedOwner('unknown stream path', null);
  const { kind, id, ownerId } = row;
  const stream = { id, ownerId, path: streamPath };
  if (ownerId !== publisher.userId) return rejectedOwner('stream of another user', null);
  if (kind === 'CAST_CHANNEL')
    return rejectedOwner('path of a cast channel, which plays its programs', 'CAST_CHANNEL_PATH');
  if ((await streamingAllowanceOf(ctx, ownerId)) === 'USED_UP')
    return rejectedOwner('streaming hours used up', 'STREAMING_HOURS_USED_UP');
  return { allowed: true, stream };
}

/**
 * Runs a check of an encoder and counts rejections for its user code and address (`docs/decisions/platform.md#limits`), because
 * users choose live passwords, which could otherwise be guessed. For encoders that connect to this service, and for those
 * that an external server reports.
 */
export async function limitRefusals<Result extends { readonly allowed: boolean }>(
  ctx: Context,
  encoder: { readonly userCode: string; readonly remoteAddress: string },
  check: () => Promise<Result>,
): Promise<Result | Rejected> {
  try {
    const subjects = publishSubjects(encoder, await hasPublishedFrom(ctx, encoder));
    return await limitFailures(ctx, subjects, check, ({ result }) => result?.allowed === false);
  } catch (error) {
    if (error instanceof TooManyRequestsError) return rejected('too many rejected attempts', null);
    throw error;
  }
}

/** Whether the user has published from this address (for IPv6: its /64) in the last 30 days. */
async function hasPublishedFrom(
  ctx: Context,
  { userCode, remoteAddress }: { readonly userCode: string; readonly remoteAddress: string },
): Promise<boolean> {
  const addresses = await ctx.db.rows<{ clientAddress: string }>(
    `SELECT DISTINCT run.client_address FROM live_runs run JOIN users u ON u.id = run.owner_id
      WHERE lower(u.user_code) = lower($userCode) AND run.client_address IS NOT NULL AND run.last_media_at IS NOT NULL
        AND run.opened_at > $now::timestamptz - make_interval(days => $rememberedDays)`,
    { userCode, now: ctx.clock.now(), rememberedDays },
  );
  const network = networkOf(remoteAddress);
  return addresses.some(({ clientAddress }) => networkOf(clientAddress) === network);
}

function rejected(reason: string, refusal: RefusalReason | null): Rejected {
  return { allowed: false, reason, refusal, isLoggedIn: false };
}

function rejectedOwner(reason: string, refusal: RefusalReason | null): Rejected {
  return { allowed: false, reason, refusal, isLoggedIn: true };
}

/** Compares in constant time, independent of the lengths. */
function isSame(sent: string, expected: string): boolean {
  const digest = (text: string): Buffer => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(sent), digest(expected));
}
