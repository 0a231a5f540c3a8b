import { createHash, randomUUID } from 'node:crypto';
import { parseContentUrn } from '../content/contentUrn.js';
import { isUuid } from '../platform/formats/format.js';

/**
 * The id of a content that is uploaded with this identifier. A UUID or a content URN is used unchanged; without an identifier, the
 * id is a random UUID. Any other text becomes a UUID of version 5 (RFC 9562) of the owner's id and the text: every content id has
 * the form of `docs/contract.md#conventions`, and equal texts of two owners give two ids.
 */
export function contentIdOf(urnNamespace: string, ownerId: string, identifier: string | undefined): string {
  if (identifier === undefined) return randomUUID();
  if (isUuid(identifier)) return identifier.toLowerCase();
  return parseContentUrn(urnNamespace, identifier) ?? uuidOfName(ownerId, identifier);
}

/** UUID version 5 of a name in a namespace. */
export function uuidOfName(namespaceId: string, name: string): string {
  const bytes = createHash('sha1')
    .update(Buffer.from(namespaceId.replaceAll('-', ''), 'hex'))
    .update(name, 'utf8')
    .digest()
    .subarray(0, 16);
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x50, 6);
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8);
  const hex = bytes.toString('hex');
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}
