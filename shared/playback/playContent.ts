import { randomBytes } from 'node:crypto';
import type { PlayableContent } from '../content/content.model.js';
import { generationFolder, previewFolder } from '../content/storageKeys.js';
import { isBandExceeded } from '../license/band.service.js';
import type { Context } from '../platform/context.js';
import type { Language } from '../platform/i18n.js';
import { sign } from '../platform/security/signing.js';
import { userIdOf } from '../user/user.queries.js';
import { writeGrant, type Grant, type GrantKind } from './grant.js';
import { blockedPlay, type PlayResult } from './playResult.js';

const hlsMimeType = 'application/x-mpegurl';

/** A session lasts one and a half times the duration of the content plus this, for pauses and slow connections. */
const marginSeconds = 10 * 60;
/** The shared address of a session changes at most this often. */
const sessionStepSeconds = 10 * 60;
/** The maximum duration of a preview (`docs/contract.md#choices-playback`). */
const previewSeconds = 15;

export interface PlayRequest {
  readonly content: PlayableContent;
  /** User code of the holder or publisher, on whose license the bytes count. */
  readonly publisherCode: string;
  /** User code. Null with a public token. */
  readonly viewerCode: string | null;
  readonly kind: GrantKind;
  /** Language of the message if nothing can be played; default: en. */
  readonly language?: Language;
}

/**
 * URLs that play a content or its preview, or the reason why nobody can play it; `docs/contract.md#choices-playback`. The
 * caller has checked that the viewer may play it.
 */
export async function playContent(ctx: Context, request: PlayRequest): Promise<PlayResult> {
  return (await obstacleTo(ctx, request)) ?? addressesOf(ctx, request);
}

/**
 * Why nobody can play a content at present: `MESSAGE` if it is not READY, `BAND_LIMIT_EXCEEDED` if the publisher has used
 * the band of this month. Null if it can be played.
 */
export async function obstacleTo(
  ctx: Context,
  request: Pick<PlayRequest, 'content' | 'publisherCode' | 'language'>,
): Promise<PlayResult | null> {
  const notReady = notReadyResult(ctx, request);
  if (notReady) return notReady;
  return (await hasNoBandLeft(ctx, request.publisherCode)) ? blockedPlay('BAND_LIMIT_EXCEEDED') : null;
}

/** `MESSAGE` if a content is not READY, so that nobody can play it; otherwise null. */
export function notReadyResult(
  ctx: Context,
  { content, language = 'en' }: Pick<PlayRequest, 'content' | 'language'>,
): PlayResult | null {
  if (content.state === 'READY' && content.readyGeneration != null) return null;
  const key = content.state === 'PENDING' ? 'playback.notReady' : 'playback.notPlayable';
  return blockedPlay('MESSAGE', ctx.translate(language, key));
}

/**
 * `streamer` belongs to the session: the same viewer who plays again within ten minutes gets the same URL, so that caches
 * work. `uniqueStreamer` belongs to this call. Both play, and both expire with the session: one and a half times the
 * duration of the content plus ten minutes from now.
 */
export function addressesOf(ctx: Context, request: PlayRequest): PlayResult {
  const { content, kind } = request;
  const folderOf = kind === 'preview' ? previewFolder : generationFolder;
  const prefix = `${folderOf(content, content.readyGeneration ?? 0)}/`;
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

/** Derived from viewer, content and an end that is rounded up, so that a play within the same step gives the same session. */
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
