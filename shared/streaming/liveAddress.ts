import { nearestRendition, type ListedSegment } from './listedSegment.js';

/*
 * Names in the continuous form of a live stream, whose lists and files are in a folder of their own: `video-720p`, `audio`. Video and
 * audio are apart there, and their times go on from one encoder to the next, so no list has a discontinuity.
 */

/** The audio of every rendition, in place of the name of one: `nearestRendition` finds the smallest files for it. */
export const audioOnly = 'audio';

export interface ListedRendition {
  /** `720p`; in the continuous form also `audioOnly`. */
  readonly rendition: string;
  readonly isContinuous?: boolean;
}

/** The name of the list of a rendition, without its extension. */
export function liveListName({ rendition, isContinuous = false }: ListedRendition): string {
  return !isContinuous || rendition === audioOnly ? rendition : `video-${rendition}`;
}

/** Addresses of the segment and of its initialisation segment, relative to the list. */
export function liveSegmentAddress(
  { sessionId, sequence, renditions }: Pick<ListedSegment, 'sessionId' | 'sequence' | 'renditions'>,
  { rendition: asked, isContinuous = false }: ListedRendition,
): { readonly uri: string; readonly map: string } {
  const { name, map } = nearestRendition(renditions, asked);
  const rendition = asked === audioOnly ? audioOnly : name;
  const track = asked === audioOnly ? 'audio' : 'video';
  return {
    uri: `${sessionId}/${sequence}/${liveListName({ rendition, isContinuous })}.m4s`,
    map: isContinuous ? `${sessionId}/init/${track}/${map}` : `${sessionId}/init/${map}`,
  };
}
