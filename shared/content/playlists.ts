import type { FrameRate } from './plan.js';
import { segmentSeconds } from './chunkPlan.js';
import { playlistName, type PlaylistState } from './storageKeys.js';

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

export interface PlaylistOptions {
  readonly state: PlaylistState;
  /** No segment is longer, rounded; the same in every list of a rendition. */
  readonly targetSeconds: number;
}

/** The same for all full generations, so that linear channels can join their segments. */
const completeOptions: PlaylistOptions = { state: 'complete', targetSeconds: segmentSeconds };

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

/** Bits per second of the largest segment, and on average, for `EXT-X-STREAM-INF`. */
export function bandwidthOf(segments: readonly PlaylistSegment[]): { peak: number; average: number } {
  const bytes = segments.reduce((sum, segment) => sum + segment.bytes, 0);
  const seconds = segments.reduce((sum, segment) => sum + segment.durationSeconds, 0);
  const average = Math.ceil((bytes * 8) / seconds);
  return {
    average,
    peak: Math.max(average, ...segments.map((segment) => Math.ceil((segment.bytes * 8) / segment.durationSeconds))),
  };
}

/** The master playlist. Its renditions are beside it (`playlistName`). The middle one is first, because players start with it. */
export function masterPlaylist(
  renditions: readonly PlaylistRendition[],
  frameRate: FrameRate,
  state: PlaylistState = 'complete',
): string {
  const lines = ['#EXTM3U', '#EXT-X-VERSION:7', '#EXT-X-INDEPENDENT-SEGMENTS'];
  for (const rendition of startingInTheMiddle(renditions)) {
    const { peak, average } = bandwidthOf(rendition.segments);
    const attributes = [
      `BANDWIDTH=${peak}`,
      `AVERAGE-BANDWIDTH=${average}`,
      `CODECS="${rendition.codecs}"`,
      `RESOLUTION=${rendition.width}x${rendition.height}`,
      `FRAME-RATE=${(frameRate[0] / frameRate[1]).toFixed(3)}`,
    ];
    lines.push(`#EXT-X-STREAM-INF:${attributes.join(',')}`, playlistName(rendition.name, state));
  }
  return `${lines.join('\n')}\n`;
}

function startingInTheMiddle<Rendition>(renditions: readonly Rendition[]): Rendition[] {
  const middle = Math.floor((renditions.length - 1) / 2);
  return [...renditions.slice(middle, middle + 1), ...renditions.slice(0, middle), ...renditions.slice(middle + 1)];
}
