import type { GuideAddresses } from './guideAddresses.js';
import type { GuideChannel } from './guide.queries.js';

/**
 * The channels as a list that players open (M3U with the attributes that Kodi, VLC, Jellyfin and TiviMate read). Its
 * addresses never expire. Groups are publishers.
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
 * A name as a value: it can end neither the line nor the quotes. Nor does it contain commas: some players take what
 * follows the first comma of the line for the name of the channel, others what follows the last one.
 */
function nameOf(text: string): string {
  return text
    .replace(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, ' ')
    .replace(/"/g, "'")
    .replace(/ ?, ?/g, ' - ')
    .trim();
}

/** Kodi splits groups at semicolons. */
function groupOf(text: string): string {
  return nameOf(text).replace(/ ?; ?/g, ' - ');
}
