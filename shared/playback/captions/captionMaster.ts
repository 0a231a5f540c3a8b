import { quotable } from '../../content/variantStreams.js';
import type { CaptionDetails } from '../../caption/caption.model.js';
import { unknownLanguage } from '../../platform/formats/language.js';
import { captionPlaylistPath } from './captionPath.js';

const group = 'captions';
/** Characteristics of captions for deaf viewers (RFC 8216bis, 4.4.6.1.3). */
const deafCharacteristics =
  'public.accessibility.transcribes-spoken-dialog,public.accessibility.describes-music-and-sound';

/** Adds the captions of a content to its stored master playlist: `docs/contract.md#captions`. */
export function masterWithCaptions(master: string, captions: readonly CaptionDetails[]): string {
  const mediaPlaylist = captionedPlaylist(master);
  return withSubtitles(
    master,
    captions.map(({ id, ...caption }) => ({ ...caption, uri: captionPlaylistPath(id, mediaPlaylist) })),
  );
}

/** The media playlist with which the caption playlists of a master playlist are aligned: that of its first variant. */
export function captionedPlaylist(master: string): string {
  const lines = master.split('\n');
  return lines[lines.findIndex(isVariant) + 1] ?? '';
}

/** Captions in a master playlist. */
export interface ListedSubtitles extends Pick<
  CaptionDetails,
  'language' | 'label' | 'kind' | 'forced' | 'shownByDefault'
> {
  readonly uri: string;
}

/** Adds captions to all variants of a master playlist. */
export function withSubtitles(master: string, subtitles: readonly ListedSubtitles[]): string {
  const lines = master.split('\n');
  const first = lines.findIndex(isVariant);
  if (subtitles.length === 0 || first < 0) return master;
  const variants = lines.slice(first).map((line) => (isVariant(line) ? `${line},SUBTITLES="${group}"` : line));
  return [...lines.slice(0, first), ...subtitles.map(subtitlesLine), ...variants].join('\n');
}

const isVariant = (line: string): boolean => line.startsWith('#EXT-X-STREAM-INF:');

function subtitlesLine({ language, label, kind, forced, shownByDefault, uri }: ListedSubtitles): string {
  const attributes = [
    'TYPE=SUBTITLES',
    `GROUP-ID="${group}"`,
    `NAME="${quotable(label)}"`,
    ...(language === unknownLanguage ? [] : [`LANGUAGE="${language}"`]),
    `DEFAULT=${shownByDefault ? 'YES' : 'NO'}`,
    'AUTOSELECT=YES',
    `FORCED=${forced ? 'YES' : 'NO'}`,
    ...(kind === 'captions' ? [`CHARACTERISTICS="${deafCharacteristics}"`] : []),
    `URI="${uri}"`,
  ];
  return `#EXT-X-MEDIA:${attributes.join(',')}`;
}
