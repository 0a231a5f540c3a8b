import type { CaptionDetails } from '../../caption/caption.model.js';
import { unknownLanguage } from '../../caption/language.js';
import { captionPlaylistPath } from './captionPath.js';

const group = 'captions';
/** For who cannot hear (RFC 8216bis, 4.4.6.1.3). */
const forDeaf = 'public.accessibility.transcribes-spoken-dialog,public.accessibility.describes-music-and-sound';

/** A stored master playlist with the captions of its content: `docs/contract.md#captions`. */
export function masterWithCaptions(master: string, captions: readonly CaptionDetails[]): string {
  const lines = master.split('\n');
  const first = lines.findIndex((line) => line.startsWith('#EXT-X-STREAM-INF:'));
  const mediaPlaylist = lines[first + 1];
  if (captions.length === 0 || first < 0 || mediaPlaylist === undefined) return master;
  const media = captions.map((caption) => subtitlesLine(caption, captionPlaylistPath(caption.id, mediaPlaylist)));
  const variants = lines
    .slice(first)
    .map((line) => (line.startsWith('#EXT-X-STREAM-INF:') ? `${line},SUBTITLES="${group}"` : line));
  return [...lines.slice(0, first), ...media, ...variants].join('\n');
}

/** A rendition of captions in a master playlist. */
function subtitlesLine(
  { language, label, kind }: Pick<CaptionDetails, 'language' | 'label' | 'kind'>,
  uri: string,
): string {
  const attributes = [
    'TYPE=SUBTITLES',
    `GROUP-ID="${group}"`,
    `NAME="${quotable(label)}"`,
    ...(language === unknownLanguage ? [] : [`LANGUAGE="${language}"`]),
    'DEFAULT=NO',
    'AUTOSELECT=YES',
    'FORCED=NO',
    ...(kind === 'captions' ? [`CHARACTERISTICS="${forDeaf}"`] : []),
    `URI="${uri}"`,
  ];
  return `#EXT-X-MEDIA:${attributes.join(',')}`;
}

/** A quoted string of a playlist has no quote and no end of line (RFC 8216, 4.2). */
function quotable(text: string): string {
  return text.replaceAll('"', "'").replaceAll(/\p{Cc}/gu, ' ');
}
