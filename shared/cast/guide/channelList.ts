import type { GuideAddresses } from './guideAddresses.js';
import type { GuideChannel } from './guide.queries.js';

/**
 * The channels as an M3U playlist with the attributes that Kodi, VLC, Jellyfin and TiviMate read. Its addresses never
 * expire. Groups are publishers.
 */
export function channelList(
  channels: readonly GuideChannel[],
  addresses: GuideAddresses,
  userCode: string | undefined,
): string {
  const guide = addresses.guide(userCode);
  const entries = channels.map(({ id, name, thumbnailId, publisherName }) => {
    const title = nameOf(name) || id;
    const logo = thumbnailId === null ? '' : ` tvg-logo="${addresses.icon(thumbnailId)}"`;
    const attributes = `tvg-id="${id}" tvg-name="${title}"${logo} group-title="${groupOf(publisherName)}"`;
    return `#EXTINF:-1 ${attributes},${title}\n${addresses.playlist(id)}\n`;
  });
  return `#EXTM3U url-tvg="${guide}" x-tvg-url="${guide}"\n${entries.join('')}`;
}

/**
 * Removes line breaks, quotes and commas from a name. Some players read the channel's name after the first comma of the
 * line, others after the last one.
 */
function nameOf(text: string): string {
  return text
    .replace(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, ' ')
    .replace(/"/g, "'")
    .replace(/ ?, ?/g, ' - ')
    .trim();
}

/** Also removes semicolons, at which Kodi splits groups. */
function groupOf(text: string): string {
  return nameOf(text).replace(/ ?; ?/g, ' - ');
}
