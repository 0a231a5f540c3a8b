import type { Context } from '../platform/context.js';
import { sign, verify, type SigningKey } from '../platform/security/signing.js';
import { parseGrant, type Grant, type GrantKind } from './grant.js';

/*
 * A streaming server of the deployment that faces the viewers (`LIVE_PLAYBACK_URL`) knows only a token: the grant of a
 * play, without the path that it opens. The signature of a grant covers that path, so it cannot be checked there.
 * Therefore the session id of a grant contains a signature of its own, over everything else in the grant.
 *
 * `<16 characters of a nonce><8 of the stream name, in live grants><22 of a signature>`: a grant stays below 256
 * characters, which is as much as RTMP servers accept in a stream name.
 */

const nonceLength = 16;
const nameLength = 8;
const signatureLength = 22;

/** They open a preview, or one file or track. */
const withoutTokens: readonly GrantKind[] = ['preview', 'file', 'track'];

type Signed = Pick<Grant, 'kind' | 'viewerCode' | 'publisherCode' | 'expiresSeconds'>;

/** A session id that proves its grant. `nonce`: 16 characters or more of base64url. */
export function provenViewerSession(
  keys: readonly SigningKey[],
  nonce: string,
  signed: Signed,
  streamName?: string,
): string {
  const name = streamName === undefined ? '' : nameTag(keys, streamName);
  const session = `${nonce.slice(0, nonceLength)}${name}`;
  return `${session}${sign(keys, messageOf(session, signed)).value}`;
}

/**
 * Whether a token is a grant of this service that has not expired, for a live stream, a cast channel or a video; a preview
 * and a single file are not. Reads no row. With `streamName`, only a grant for this live stream is valid: without it, a server cannot tell the token of one
 * stream from that of another.
 */
export function checkPlaybackToken(ctx: Context, token: string, streamName?: string): Promise<boolean> {
  return Promise.resolve(isValid(ctx, token, streamName));
}

function isValid({ config, clock }: Context, token: string, streamName?: string): boolean {
  const parsed = parseGrant(token);
  if (!parsed || withoutTokens.includes(parsed.kind)) return false;
  const { keyId, sessionId, expiresSeconds } = parsed;
  const session = sessionId.slice(0, -signatureLength);
  const { keys } = config.playback;
  const value = sessionId.slice(-signatureLength);
  if (!verify(keys, messageOf(session, parsed), { keyId, value })) return false;
  if (clock.now().getTime() >= expiresSeconds * 1000) return false;
  return streamName === undefined || isOfStream(keys, keyId, session, streamName);
}

function isOfStream(keys: readonly SigningKey[], keyId: string, session: string, streamName: string): boolean {
  const signing = keys.filter(({ id }) => id === keyId);
  return session.slice(nonceLength) === nameTag(signing, streamName);
}

function nameTag(keys: readonly SigningKey[], streamName: string): string {
  return sign(keys, `stream name|v1|${streamName}`).value.slice(0, nameLength);
}

function messageOf(session: string, { kind, viewerCode, publisherCode, expiresSeconds }: Signed): string {
  return ['token', 'v1', kind, session, viewerCode ?? '-', publisherCode, expiresSeconds].join('|');
}
