import { LRUCache } from 'lru-cache';
import { sign, verify, type SigningKey } from '../platform/security/signing.js';

/**
 * Kind of a grant; part of the URL (`docs/contract.md#choices-playback`). It opens:
 * - `full`: all files of one generation of a content; `preview`: only the folder of its 15-second preview
 * - `live`: a live event or channel, whose files are found in the database (`shared/streaming/liveScope.ts`)
 * - `cast`: the playlists of a cast channel; `file`: one segment or initialisation segment in them; `track`: one track of it, at
 *   one time
 */
export type GrantKind = 'full' | 'preview' | 'live' | 'cast' | 'file' | 'track';

/** A signed playback URL: permits to read the files below one folder of the store until it expires. */
export interface Grant {
  readonly kind: GrantKind;
  /** The stream session: `[A-Za-z0-9_-]`, 8 to 64 characters. */
  readonly sessionId: string;
  /** User code. Null: nobody is logged in. */
  readonly viewerCode: string | null;
  /** User code of the publisher, to whose band the bytes are added. */
  readonly publisherCode: string;
  /** Seconds since 1970. The grant is invalid from then on. */
  readonly expiresSeconds: number;
  /**
   * `full`, `preview`: folder with a trailing slash (`shared/content/storageKeys.ts`). `live`, `cast`: from `livePrefix`,
   * `castPrefix`. `file`: a complete storage key. `track`: the complete path (`tracks/trackPath.ts`).
   */
  readonly prefix: string;
}

export type GrantCheck = { readonly grant: Grant } | { readonly rejected: 'invalid' | 'expired' };

/** Folders and a file below a prefix. */
const name = '[A-Za-z0-9_-][A-Za-z0-9._-]*';
const below = `(?:${name}/)*${name}`;
const uuid = '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}';
const generation = `content/${uuid}(?:-[0-9a-f]{32})?/g\\d{1,9}/`;
/** The permitted paths below `/s/<grant>/`, with the prefix as a group. They contain no escapes, and nothing is decoded. */
const pathPatterns: ReadonlyMap<string, RegExp> = new Map<GrantKind, RegExp>([
  ['full', new RegExp(`^(${generation})${below}$`)],
  ['preview', new RegExp(`^(${generation}preview/)${below}$`)],
  ['live', new RegExp(`^(live/${uuid}/)${below}$`)],
  [
    'cast',
    new RegExp(
      `^(cast/${uuid}/)(?:continuous/)?(?:master|video-\\d{1,4}p|audio|(?:audio|captions)-[A-Za-z0-9-]{2,12})\\.m3u8$`,
    ),
  ],
  ['file', new RegExp(`^((?:content|live|cast)/${name}/${below}\\.(?:m4s|mp4|vtt))$`)],
  ['track', new RegExp(`^(track/(?:video|audio)/${below}\\.(?:m4s|mp4))$`)],
]);
/** `<key>.<kind>.<session>.<viewer>.<publisher>.<expiry>.<signature>` */
const grantPattern =
  /^([A-Za-z0-9]{1,64})\.(full|preview|live|cast|file|track)\.([A-Za-z0-9_-]{8,64})\.(-|[A-Za-z][A-Za-z0-9_]*)\.([A-Za-z][A-Za-z0-9_]*)\.([1-9]\d{8,11})\.([A-Za-z0-9_-]{22})$/;

/** The grant as one segment of a path, signed with the first key. */
export function writeGrant(keys: readonly SigningKey[], grant: Grant): string {
  const signature = sign(keys, messageOf(grant));
  const { kind, sessionId, viewerCode, publisherCode, expiresSeconds } = grant;
  const parts = [kind, sessionId, viewerSegment(viewerCode), userCodeSegment(publisherCode), expiresSeconds];
  return `${signature.keyId}.${parts.join('.')}.${signature.value}`;
}

/** The parts of a sent grant, not verified. */
export interface SentGrant extends Omit<Grant, 'prefix'> {
  readonly keyId: string;
  /** Signature over the grant and its prefix. */
  readonly value: string;
}

/** Parses a grant without verifying it; null if it is malformed. */
export function parseGrant(segment: string): SentGrant | null {
  const parts = segment.length > 512 ? null : grantPattern.exec(segment);
  if (!parts) return null;
  const [, keyId = '', kind = '', sessionId = '', viewer = '', publisher = '', expiry = '', value = ''] = parts;
  return {
    keyId,
    kind: kind as GrantKind,
    sessionId,
    viewerCode: viewer === '-' ? null : userCodeOf(viewer),
    publisherCode: userCodeOf(publisher),
    expiresSeconds: Number(expiry),
    value,
  };
}

/**
 * Cache of verified grants, by grant and prefix: a player sends the same grant with every request. Each list of keys has a
 * separate cache, so a grant that was verified with other keys is verified again.
 */
const verified = new WeakMap<readonly SigningKey[], LRUCache<string, Grant>>();
const maxVerified = 10_000;

/**
 * Checks that `segment` is a valid grant that opens `path` at `now`, without a query to the database. The signature covers
 * the folder, which is taken from the requested path, so a grant cannot open any other folder. `path` is the raw request
 * path: a path with an escape, a `..` or an empty segment is invalid.
 */
export function checkGrant(keys: readonly SigningKey[], segment: string, path: string, now: Date): GrantCheck {
  const grant = verifiedGrant(keys, segment, path);
  if (!grant) return { rejected: 'invalid' };
  return now.getTime() >= grant.expiresSeconds * 1000 ? { rejected: 'expired' } : { grant };
}

function verifiedGrant(keys: readonly SigningKey[], segment: string, path: string): Grant | null {
  const prefix = grantedPrefix(segment.split('.', 2)[1] ?? '', path);
  if (!prefix) return null;
  let cache = verified.get(keys);
  if (!cache) verified.set(keys, (cache = new LRUCache({ max: maxVerified })));
  const key = `${segment}/${prefix}`;
  const known = cache.get(key);
  if (known) return known;
  const grant = verifyGrant(keys, segment, prefix);
  if (grant) cache.set(key, grant);
  return grant;
}

function verifyGrant(keys: readonly SigningKey[], segment: string, prefix: string): Grant | null {
  const sent = parseGrant(segment);
  if (!sent) return null;
  const { keyId, value, ...signed } = sent;
  const grant: Grant = { ...signed, prefix };
  return verify(keys, messageOf(grant), { keyId, value }) ? grant : null;
}

/**
 * The grant of a CDN address (`cdnAddress.ts`), even if it has expired. Null if its signature is invalid. In CDN addresses, a live
 * grant opens one file.
 */
export function cdnGrantOf(keys: readonly SigningKey[], segment: string, path: string): Grant | null {
  const kind = segment.split('.', 2)[1] ?? '';
  const prefix = grantedPrefix(kind === 'live' ? 'file' : kind, path);
  return prefix ? verifyGrant(keys, segment, prefix) : null;
}

/** The prefix that a grant of this kind needs to open a path. Null: no grant of this kind opens it. */
export function grantedPrefix(kind: string, path: string): string | null {
  return path.length > 512 ? null : (pathPatterns.get(kind)?.exec(path)?.[1] ?? null);
}

/** Prefix of grants for a live event or channel. It is not a storage folder. */
export function livePrefix(scopeId: string): string {
  return `live/${scopeId}/`;
}

/** Prefix of grants for the playlists of a cast channel. It is not a storage folder. */
export function castPrefix(channelId: string): string {
  return `cast/${channelId}/`;
}

/** The signed text. It omits the key id, because each key verifies only its own signatures. */
function messageOf({ kind, sessionId, viewerCode, publisherCode, expiresSeconds, prefix }: Grant): string {
  return [
    'v1',
    kind,
    sessionId,
    viewerSegment(viewerCode),
    userCodeSegment(publisherCode),
    expiresSeconds,
    prefix,
  ].join('|');
}

/**
 * Replaces dots, which separate the parts of a grant, with underscores, which user codes cannot contain
 * (`docs/contract.md#choices-users`).
 */
export function userCodeSegment(userCode: string): string {
  return userCode.replaceAll('.', '_');
}

function viewerSegment(userCode: string | null): string {
  return userCode === null ? '-' : userCodeSegment(userCode);
}

export function userCodeOf(segment: string): string {
  return segment.replaceAll('_', '.');
}
