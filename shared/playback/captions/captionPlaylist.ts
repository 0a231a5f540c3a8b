import { readMediaPlaylist, type ContentSegment } from '../../content/mediaPlaylist.js';
import { captionPartName, mpegTicksOf, type CaptionPart } from './captionPath.js';

/** Target duration of a part: captions of half a minute have about two kilobytes. */
const partSeconds = 30;

/** Segments of a media playlist with continuous timestamps. */
export interface PlaylistSection {
  readonly durationsSeconds: readonly number[];
  readonly first: ContentSegment;
}

/** The sections of a stored media playlist. */
export function sectionsOfPlaylist(playlist: string): PlaylistSection[] {
  const sections: { durationsSeconds: number[]; first: ContentSegment }[] = [];
  for (const segment of readMediaPlaylist(playlist)) {
    if (segment.isDiscontinuous || sections.length === 0) sections.push({ durationsSeconds: [], first: segment });
    sections.at(-1)?.durationsSeconds.push(segment.durationSeconds);
  }
  return sections;
}

/** A caption part in a playlist. */
export interface ListedCaptionPart extends CaptionPart {
  readonly isDiscontinuous: boolean;
}

/**
 * The caption parts for a media playlist, each as long as some complete segments. `startSeconds`: media time of each section's
 * first frame.
 */
export function captionPartsOf(
  sections: readonly PlaylistSection[],
  startSeconds: readonly number[],
): ListedCaptionPart[] {
  let sectionStart = 0;
  return sections.flatMap(({ durationsSeconds }, index) => {
    const parts: ListedCaptionPart[] = [];
    let [from, to] = [0, 0];
    const end = (): void => {
      parts.push({
        fromMs: Math.round((sectionStart + from) * 1000),
        toMs: Math.round((sectionStart + to) * 1000),
        localMs: Math.round(sectionStart * 1000),
        mpegTicks: mpegTicksOf(startSeconds[index] ?? 0),
        isDiscontinuous: index > 0 && parts.length === 0,
      });
      from = to;
    };
    for (const seconds of durationsSeconds) {
      to += seconds;
      if (to - from >= partSeconds) end();
    }
    if (to > from) end();
    sectionStart += to;
    return parts;
  });
}

/** The complete media playlist of captions (RFC 8216). */
export function captionPlaylist(parts: readonly ListedCaptionPart[]): string {
  const secondsOf = ({ fromMs, toMs }: CaptionPart): number => (toMs - fromMs) / 1000;
  const lines = [
    '#EXTM3U',
    '#EXT-X-VERSION:7',
    `#EXT-X-TARGETDURATION:${Math.ceil(Math.max(1, ...parts.map(secondsOf)))}`,
    '#EXT-X-MEDIA-SEQUENCE:0',
    '#EXT-X-PLAYLIST-TYPE:VOD',
  ];
  for (const part of parts) {
    if (part.isDiscontinuous) lines.push('#EXT-X-DISCONTINUITY');
    lines.push(`#EXTINF:${secondsOf(part).toFixed(3)},`, captionPartName(part));
  }
  return `${[...lines, '#EXT-X-ENDLIST'].join('\n')}\n`;
}
