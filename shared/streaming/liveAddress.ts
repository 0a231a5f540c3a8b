import { nearestRendition, type ListedSegment } from './listedSegment.js';

/*
 * Names in the continuous form of a live stream, whose playlists and files have a separate folder: `video-720p`, `audio`. Video and
 * audio are in separate playlists, and timestamps continue from one encoder to the next, so no playlist has a discontinuity.
 */

/** Name for audio in place of a rendition: `nearestRendition` finds the smallest files for it. */
export const audioOnly = 'audio';

export interface ListedRendition {
  /** `720p`; in the continuous form also `audioOnly`. */
  readonly rendition: string;
  readonly isContinuous?: boolean;
}

/** File name of a rendition's playlist, without extension. */
export function liveListName({ rendition, isContinuous = false }: ListedRendition): string {
  return !isContinuous || rendition === audioOnly ? rendition : `video-${rendition}`;
}

/** Addresses of a segment and its initialisation segment, relative to the playlist. */
export function liveSegmentAddress(
  { sessionId, sequence, renditions }: Pick<ListedSegment, 'sessionId' | 'sequence' | 'renditions'>,
  { rendition: requested, isContinuous = false }: ListedRendition,
): { readonly uri: string; readonly map: string } {
  const { name, map } = nearestRendition(renditions, requested);
  const rendition = requested === audioOnly ? audioOnly : name;
  const track = requested === audioOnly ? 'audio' : 'video';
  return {
    uri: `${sessionId}/${sequence}/${liveListName({ rendition, isContinuous })}.m4s`,
    map: isContinuous ? `${sessionId}/init/${track}/${map}` : `${sessionId}/init/${map}`,
  };
}
