import type { FrameRate } from '../media/frameRate.js';
import { contentSegmentSeconds } from '../media/segmentSeconds.js';
import { playlistName, type PlaylistKind } from './storageKeys.js';
import { bandwidthOf, variantPlaylist } from './variantStreams.js';

/** One segment in a playlist; URIs are relative to the playlist. */
export interface PlaylistSegment {
  readonly uri: string;
  readonly durationSeconds: number;
  readonly bytes: number;
  /** Initialisation segment; repeated in the playlist where it differs from the one before. */
  readonly map: string;
  /** Its timestamps do not continue those of the segment before. */
  readonly isDiscontinuous?: boolean;
}

export interface PlaylistRendition {
  readonly name: string;
  readonly width: number;
  readonly height: number;
  /** RFC 6381: `avc1.64001f,mp4a.40.2`. */
  readonly codecs: string;
  readonly segments: readonly PlaylistSegment[];
}

export interface PlaylistOptions extends PlaylistKind {
  /** No segment is longer, rounded; the same in every list of a rendition. */
  readonly targetSeconds: number;
}

/** The same for all full generations, so that linear channels can join their segments. */
const completeOptions: PlaylistOptions = { state: 'complete', targetSeconds: contentSegmentSeconds };

/** The playlist of one rendition (RFC 8216). */
export function mediaPlaylist(segments: readonly PlaylistSegment[], options = completeOptions): string {
  const lines = [
    '#EXTM3U',
    '#EXT-X-VERSION:7',
    `#EXT-X-TARGETDURATION:${options.targetSeconds}`,
    '#EXT-X-MEDIA-SEQUENCE:0',
    `#EXT-X-PLAYLIST-TYPE:${options.state === 'complete' ? 'VOD' : 'EVENT'}`,
    '#EXT-X-INDEPENDENT-SEGMENTS',
  ];
  // Without it, players begin a list that grows at its end.
  if (options.state !== 'complete') lines.push('#EXT-X-START:TIME-OFFSET=0');
  let map = '';
  for (const segment of segments) {
    if (segment.isDiscontinuous) lines.push('#EXT-X-DISCONTINUITY');
    if (segment.map !== map || segment.isDiscontinuous) lines.push(`#EXT-X-MAP:URI="${segment.map}"`);
    map = segment.map;
    lines.push(`#EXTINF:${segment.durationSeconds.toFixed(6)},`, segment.uri);
  }
  if (options.state !== 'growing') lines.push('#EXT-X-ENDLIST');
  return `${lines.join('\n')}\n`;
}

/** The master playlist. Its renditions are beside it (`playlistName`). The middle one is first, because players start with it. */
export function masterPlaylist(
  renditions: readonly PlaylistRendition[],
  frameRate: FrameRate,
  kind: PlaylistKind = completeOptions,
): string {
  return variantPlaylist(
    renditions.map(({ name, segments, ...rendition }) => ({
      ...rendition,
      ...bandwidthOf(segments),
      ...{ uri: playlistName(name, kind), framesPerSecond: frameRate[0] / frameRate[1] },
    })),
  );
}
