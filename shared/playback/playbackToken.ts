import type { Context } from '../platform/context.js';
import { sign, verify, type SigningKey } from '../platform/security/signing.js';
import { parseGrant, type Grant, type GrantKind } from './grant.js';

/*
 * The deployment's streaming server for viewers (`LIVE_PLAYBACK_URL`) receives only a token: the grant of a play, without the
 * path that it opens. The grant's signature covers that path, so that server cannot check it. The session id of a grant
 * therefore contains a second signature, over all other parts of the grant.
 *
 * `<16 characters of a nonce><8 of the stream name, in live grants><22 of a signature>`: a grant stays below 256
 * characters, the maximum of a stream name in RTMP servers.
 */

const nonceLength = 16;
const nameLength = 8;
const signatureLength = 22;

/** Grants that are not valid as tokens: they open a preview, or one file or track. */
const withoutTokens: readonly GrantKind[] = ['preview', 'file', 'track'];

type Signed = Pick<Grant, 'kind' | 'viewerCode' | 'publisherCode' | 'expiresSeconds'>;

/** A session id with the signature of its grant. `nonce`: at least 16 characters of base64url. */
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
 * Whether a token is a valid, unexpired grant of this service for a live stream, a cast channel or a video, but not for a
 * preview or a single file. Reads no rows. With `streamName`, only a grant for this live stream is valid; without it, a token
 * for another stream is accepted too.
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
