import { sign, verify, type SigningKey } from '../platform/security/signing.js';

/**
 * What a grant opens: the whole of one generation of a content, or the folder of its 15 s preview and nothing else.
 * The kind is in the address: it is the type marker of `docs/contract.md#vod`.
 */
export type GrantKind = 'full' | 'preview';

/** Leave to read the files under one folder of the store until a moment; the signed part of a playing address. */
export interface Grant {
  readonly kind: GrantKind;
  /** The stream session: `[A-Za-z0-9_-]`, 8 to 64 characters. */
  readonly sessionId: string;
  /** Null: the viewer is not known by name. */
  readonly viewerCode: string | null;
  /** Whose license the served bytes count on. */
  readonly publisherCode: string;
  /** Seconds since 1970; refused from then on. */
  readonly expiresSeconds: number;
  /** The folder, with its last slash: `content/<uuid>/g<generation>/`, and `preview/` in it for a preview. */
  readonly prefix: string;
}

export type GrantCheck = { readonly grant: Grant } | { readonly refused: 'invalid' | 'expired' };

/** Everything a path below `/s/<grant>/` may be made of; there is nothing to decode in it, and nothing is decoded. */
const pathPattern =
  /^(content\/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\/g\d{1,9}\/)(preview\/)?(?:[A-Za-z0-9_-][A-Za-z0-9._-]*\/)*[A-Za-z0-9_-][A-Za-z0-9._-]*$/;
/** `<key>.<kind>.<session>.<viewer>.<publisher>.<expiry>.<signature>` */
const grantPattern =
  /^([A-Za-z0-9]{1,64})\.(full|preview)\.([A-Za-z0-9_-]{8,64})\.(-|[A-Za-z][A-Za-z0-9_]*)\.([A-Za-z][A-Za-z0-9_]*)\.([1-9]\d{8,11})\.([A-Za-z0-9_-]{22})$/;

/** Writes the grant as one segment of a path. */
export function writeGrant(keys: readonly SigningKey[], grant: Grant): string {
  const signature = sign(keys, messageOf(grant));
  const { kind, sessionId, viewerCode, publisherCode, expiresSeconds } = grant;
  const parts = [kind, sessionId, codeSegment(viewerCode), codeSegment(publisherCode), expiresSeconds];
  return `${signature.keyId}.${parts.join('.')}.${signature.value}`;
}

/**
 * Checks that `segment` is a grant of ours which opens `path` at `now`. It looks at nothing but its arguments: the
 * folder the signature must be for is taken from the path asked for, so a grant cannot open any other folder.
 * `path` is the raw path as it was sent: with an escape, a `..` or an empty segment in it, it is no path of ours.
 */
export function checkGrant(keys: readonly SigningKey[], segment: string, path: string, now: Date): GrantCheck {
  const parts = segment.length > 512 ? null : grantPattern.exec(segment);
  const folder = path.length > 512 ? null : pathPattern.exec(path);
  if (!parts || !folder) return { refused: 'invalid' };
  const [, keyId = '', kind = '', sessionId = '', viewer = '', publisher = '', expiry = '', value = ''] = parts;
  const [, content = '', preview = ''] = folder;
  const grant: Grant = {
    kind: kind as GrantKind,
    sessionId,
    viewerCode: viewer === '-' ? null : codeOf(viewer),
    publisherCode: codeOf(publisher),
    expiresSeconds: Number(expiry),
    prefix: kind === 'preview' ? content + preview : content,
  };
  if (kind === 'preview' && preview === '') return { refused: 'invalid' };
  if (!verify(keys, messageOf(grant), { keyId, value })) return { refused: 'invalid' };
  return now.getTime() >= grant.expiresSeconds * 1000 ? { refused: 'expired' } : { grant };
}

/** The key id is left out: each key signs for itself. */
function messageOf({ kind, sessionId, viewerCode, publisherCode, expiresSeconds, prefix }: Grant): string {
  return ['v1', kind, sessionId, codeSegment(viewerCode), codeSegment(publisherCode), expiresSeconds, prefix].join('|');
}

/** User codes may hold dots, which separate the parts of a grant, but no underscores (`docs/contract.md#choices-users`). */
function codeSegment(userCode: string | null): string {
  return userCode === null ? '-' : userCode.replaceAll('.', '_');
}

function codeOf(segment: string): string {
  return segment.replaceAll('_', '.');
}
