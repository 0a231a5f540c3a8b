import { sign, verify, type SigningKey } from '../platform/security/signing.js';
import { grantedPrefix, userCodeOf, userCodeSegment, type Grant, type GrantCheck, type GrantKind } from './grant.js';

/*
 * Edge addresses, which are the same for all viewers of one item: `docs/decisions/playback.md#edge`. An edge checks the token
 * itself, and caches responses by the path after it.
 */

/** A grant for the addresses below one folder, for all viewers. */
export type EdgeToken = Pick<Grant, 'kind' | 'publisherCode' | 'expiresSeconds' | 'prefix'>;

/** `<key>.<kind>.<publisher>.<expiry>.<signature>` */
const tokenPattern =
  /^([A-Za-z0-9]{1,64})\.(full|preview|live|cast|file|track)\.([A-Za-z][A-Za-z0-9_]*)\.([1-9]\d{8,11})\.([A-Za-z0-9_-]{22})$/;
const maxToken = 512;

/** The token as one segment of a path, signed with the first key. */
export function writeEdgeToken(keys: readonly SigningKey[], token: EdgeToken): string {
  const { keyId, value } = sign(keys, messageOf(token));
  return [keyId, token.kind, userCodeSegment(token.publisherCode), token.expiresSeconds, value].join('.');
}

/** Whether a segment of a path has the form of an edge token. */
export function isEdgeToken(segment: string): boolean {
  return segment.length <= maxToken && tokenPattern.test(segment);
}

/** Checks that `segment` is a valid token that opens `path` at `now`, like `checkGrant`. The grant has no viewer. */
export function checkEdgeToken(keys: readonly SigningKey[], segment: string, path: string, now: Date): GrantCheck {
  const grant = signedGrant(keys, segment, path);
  if (!grant) return { rejected: 'invalid' };
  return now.getTime() >= grant.expiresSeconds * 1000 ? { rejected: 'expired' } : { grant };
}

/**
 * The grant of a token with a valid signature, even if it has expired, because an edge reports its usage minutes later; otherwise
 * null.
 */
export function signedGrant(keys: readonly SigningKey[], segment: string, path: string): Grant | null {
  const parts = segment.length > maxToken ? null : tokenPattern.exec(segment);
  if (!parts) return null;
  const [, keyId = '', kind = '', publisher = '', expiry = '', value = ''] = parts;
  const prefix = grantedPrefix(kind, path);
  if (!prefix) return null;
  const token = {
    kind: kind as GrantKind,
    publisherCode: userCodeOf(publisher),
    expiresSeconds: Number(expiry),
    prefix,
  };
  if (!verify(keys, messageOf(token), { keyId, value })) return null;
  return { ...token, sessionId: sharedSession, viewerCode: null };
}

/** Session id of edge tokens, which all viewers share; the address's query contains the viewer's session. */
const sharedSession = 'everybody';

function messageOf({ kind, publisherCode, expiresSeconds, prefix }: EdgeToken): string {
  return ['edge|v1', kind, userCodeSegment(publisherCode), expiresSeconds, prefix].join('|');
}
