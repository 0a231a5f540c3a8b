import type { Context } from '../platform/context.js';
import { cdnGrantOf, writeGrant, type Grant } from './grant.js';

/*
 * Addresses of a CDN in front of the storage. The CDN checks the grant against the path only: `docs/decisions/playback.md#cdn`.
 */

/** A file that a grant opens, with the grant and its text as sent. */
interface CdnFile {
  readonly key: string;
  readonly grant: Grant;
  readonly segment: string;
}

/**
 * The address of a stored file at the CDN. A live grant names a scope, whose files only this service can find, so each file of it
 * gets a separate grant.
 */
export function cdnAddress({ config }: Context, cdnUrl: string, { key, grant, segment }: CdnFile): string {
  const fileGrant = grant.kind === 'live' ? writeGrant(config.playback.keys, { ...grant, prefix: key }) : segment;
  return `${cdnUrl}/${key}?grant=${fileGrant}`;
}

/** The grant in a CDN address, even if it has expired. Null: this service has not signed it. */
export function grantOfCdnAddress({ config }: Context, address: string): Grant | null {
  const [path = '', query = ''] = address.split('?', 2);
  const start = path.search(/\/(?:content|live|cast)\//);
  const segment = new URLSearchParams(query).get('grant');
  return start < 0 || segment === null ? null : cdnGrantOf(config.playback.keys, segment, path.slice(start + 1));
}

/** Replaces the relative addresses of a film's stored media playlist with CDN addresses. */
export function playlistOnCdn(ctx: Context, cdnUrl: string, playlist: CdnFile, text: string): string {
  const folder = playlist.key.slice(0, playlist.key.lastIndexOf('/') + 1);
  const absolute = (path: string): string => cdnAddress(ctx, cdnUrl, { ...playlist, key: folder + path });
  const lines = text.split('\n').map((line) => {
    if (line === '') return line;
    if (!line.startsWith('#')) return absolute(line);
    const [whole, path = ''] = /^#EXT-X-MAP:URI="([^"]+)"$/.exec(line) ?? [];
    return whole === undefined ? line : `#EXT-X-MAP:URI="${absolute(path)}"`;
  });
  return lines.join('\n');
}
