import { randomBytes } from 'node:crypto';
import type { Content } from '../content/content.model.js';
import { isBandExceeded } from '../license/band.service.js';
import type { Context } from '../platform/context.js';
import type { Language } from '../platform/i18n.js';
import { sign } from '../platform/security/signing.js';
import { userIdOf } from '../user/user.queries.js';
import { writeGrant, type Grant, type GrantKind } from './grant.js';
import { refusal, type PlayResult } from './playResult.js';

const hlsMimeType = 'application/x-mpegurl';

/** A session outlives its content by half, and by this long: for pauses and slow lines. */
const marginSeconds = 10 * 60;
/** Addresses of the session change at most this often. */
const sessionStepSeconds = 10 * 60;
/** A preview is 15.0 s at most (`docs/contract.md#choices-playback`). */
const previewSeconds = 15;

export interface PlayRequest {
  readonly content: Pick<Content, 'id' | 'state' | 'readyGeneration' | 'durationMs'>;
  /** Whose license the bytes count on: the user who holds or has published the content. */
  readonly publisherCode: string;
  /** Null with a public token. */
  readonly viewerCode: string | null;
  readonly kind: GrantKind;
  /** Of the message, where there is nothing to play; en where left out. */
  readonly language?: Language;
}

/**
 * Addresses under which a player gets the content, or the preview of it; `docs/contract.md#choices-playback`. The caller has made sure
 * that the viewer may. Where there is an obstacle, that.
 */
export async function playContent(ctx: Context, request: PlayRequest): Promise<PlayResult> {
  return (await obstacleTo(ctx, request)) ?? addressesOf(ctx, request);
}

/**
 * Why nobody can play a content now: one that is not READY gives `MESSAGE`; one of a publisher who has sent all that
 * the license allows this month, `BAND_LIMIT_EXCEEDED`. Null where nothing is in the way.
 */
export async function obstacleTo(
  ctx: Context,
  { content, publisherCode, language = 'en' }: Pick<PlayRequest, 'content' | 'publisherCode' | 'language'>,
): Promise<PlayResult | null> {
  if (content.state !== 'READY' || content.readyGeneration == null) {
    const key = content.state === 'PENDING' ? 'playback.notReady' : 'playback.notPlayable';
    return refusal('MESSAGE', ctx.translate(language, key));
  }
  return (await hasNoBandLeft(ctx, publisherCode)) ? refusal('BAND_LIMIT_EXCEEDED') : null;
}

/**
 * `streamer` is the address of the session: the same viewer asking again within minutes gets the same one, which
 * caches well. `uniqueStreamer` belongs to this one call. Both play; both end with the session, half again the length
 * of the content and ten minutes after now.
 */
export function addressesOf(ctx: Context, request: PlayRequest): PlayResult {
  const { content, kind } = request;
  const prefix = `content/${content.id}/g${content.readyGeneration}/${kind === 'preview' ? 'preview/' : ''}`;
  const file = `${prefix}master.m3u8`;
  const addressOf = (session: Pick<Grant, 'sessionId' | 'expiresSeconds'>): string => {
    const grant = { kind, prefix, viewerCode: request.viewerCode, publisherCode: request.publisherCode, ...session };
    return `${ctx.config.service.publicUrl}/s/${writeGrant(ctx.config.playback.keys, grant)}/${file}`;
  };
  const ends = Math.ceil(ctx.clock.now().getTime() / 1000) + validSeconds(request);
  const streamer = addressOf(sharedSession(ctx, request, prefix, ends));
  const uniqueStreamer = addressOf({ sessionId: randomBytes(12).toString('base64url'), expiresSeconds: ends });
  const source = { mimeType: hlsMimeType, streamer, uniqueStreamer };
  return { result: 'PLAY', srcs: [source], mimeType: hlsMimeType, file, streamer, uniqueStreamer };
}

function validSeconds({ content, kind }: PlayRequest): number {
  const seconds = kind === 'preview' ? previewSeconds : (content.durationMs ?? 0) / 1000;
  return Math.ceil(seconds * 1.5) + marginSeconds;
}

async function hasNoBandLeft(ctx: Context, publisherCode: string): Promise<boolean> {
  const publisherId = await userIdOf(ctx, publisherCode);
  return publisherId !== undefined && (await isBandExceeded(ctx, publisherId));
}

/** Made of who plays what, and an end rounded up: asking again within the step gives the same session. */
function sharedSession(
  ctx: Context,
  request: PlayRequest,
  prefix: string,
  ends: number,
): Pick<Grant, 'sessionId' | 'expiresSeconds'> {
  const expiresSeconds = Math.ceil(ends / sessionStepSeconds) * sessionStepSeconds;
  const message = `session|${request.kind}|${request.viewerCode ?? '-'}|${request.publisherCode}|${expiresSeconds}|${prefix}`;
  return { sessionId: sign(ctx.config.playback.keys, message).value, expiresSeconds };
}
