import type { ListedParts } from './lowLatency/listParts.js';
import { nearestRendition, type ListedSegment } from './listedSegment.js';
import { liveSegmentAddress, type ListedRendition } from './liveAddress.js';
import { partTargetSeconds, type PartAddress, type PartSegment } from './lowLatency/partsState.js';
import { liveSegmentSeconds } from '../media/segmentSeconds.js';

/*
 * The playlists of a live stream (RFC 8216) are pure functions of rows, so that every web process writes the same text.
 * Addresses are relative to the playlist.
 */

/** Constant, so that players reload at least as often as segments appear. */
const targetDurationSeconds = liveSegmentSeconds;
/** `CAN-SKIP-UNTIL` for delta updates; RFC 8216bis requires at least six target durations. */
const skipUntilSeconds = 6 * targetDurationSeconds;
/** `PART-HOLD-BACK`: three parts, as RFC 8216bis recommends, rounded up. */
const partHoldBackSeconds = Math.ceil(30 * partTargetSeconds) / 10;
/** Duration of a playlist without rewind: eight segments, or more if disconnected encoders have left short ones. */
const slidingSeconds = 8 * liveSegmentSeconds;

/** The segments of a playlist without rewind: the newest ones of the newest session. */
export function slidingWindow(segments: readonly ListedSegment[]): readonly ListedSegment[] {
  const newest = segments.at(-1);
  return newestSegments(segments, slidingSeconds).filter(({ sessionId }) => sessionId === newest?.sessionId);
}

/** The segments of a playlist with rewind: those that start at `fromMs` or later, and never fewer than without rewind. */
export function rewindWindow(segments: readonly ListedSegment[], fromMs: number): readonly ListedSegment[] {
  const first = segments.findIndex(({ startsAtMs }) => startsAtMs >= fromMs);
  const sliding = newestSegments(segments, slidingSeconds);
  const count = first < 0 ? 0 : segments.length - first;
  return count > sliding.length ? segments.slice(first) : sliding;
}

/** The smallest number of newest segments that together last at least `seconds`. */
function newestSegments(segments: readonly ListedSegment[], seconds: number): readonly ListedSegment[] {
  let start = segments.length;
  for (let microseconds = 0; start > 0 && microseconds < seconds * 1e6; start -= 1)
    microseconds += segments[start - 1]?.durationMicroseconds ?? 0;
  return segments.slice(start);
}

/** The newest segments with consecutive numbers. */
export function withoutGaps(segments: readonly ListedSegment[]): readonly ListedSegment[] {
  const gap = segments.findLastIndex(
    ({ sequence }, index) => index > 0 && sequence !== (segments[index - 1]?.sequence ?? 0) + 1,
  );
  return gap < 0 ? segments : segments.slice(gap);
}

/** The playlist of a rendition: a segment without it is listed in the nearest rendition. */
export interface MediaPlaylist extends ListedRendition {
  /** At least one. */
  readonly segments: readonly ListedSegment[];
  /** No segments follow. */
  readonly hasEnded: boolean;
  /** Clients may request delta updates. */
  readonly canSkip: boolean;
  /** Whether this client requests a delta update. */
  readonly isDelta?: boolean;
  /** Null: only complete segments. */
  readonly parts?: ListedParts | null;
  /** Playlists of the other renditions, for RENDITION-REPORT. */
  readonly others?: readonly { readonly rendition: string; readonly uri: string }[];
}

/** The media playlist of one rendition. The continuous form has no discontinuities, because its timestamps continue. */
export function liveMediaPlaylist(playlist: MediaPlaylist): string {
  const { segments, rendition, isContinuous = false, hasEnded, canSkip, isDelta = false, parts = null } = playlist;
  const [first] = segments;
  const skipped = isDelta && canSkip ? segments.length - newestSegments(segments, skipUntilSeconds).length : 0;
  const lines = [
    '#EXTM3U',
    `#EXT-X-VERSION:${canSkip || parts ? 9 : 7}`,
    `#EXT-X-TARGETDURATION:${targetDurationSeconds}`,
    `#EXT-X-MEDIA-SEQUENCE:${first?.sequence ?? 0}`,
    `#EXT-X-DISCONTINUITY-SEQUENCE:${isContinuous ? 0 : (first?.discontinuity ?? 0)}`,
    '#EXT-X-INDEPENDENT-SEGMENTS',
  ];
  const control = [
    ...(parts ? [`CAN-BLOCK-RELOAD=YES,PART-HOLD-BACK=${partHoldBackSeconds}`] : []),
    ...(canSkip ? [`CAN-SKIP-UNTIL=${skipUntilSeconds.toFixed(1)}`] : []),
  ];
  if (control.length > 0) lines.push(`#EXT-X-SERVER-CONTROL:${control.join(',')}`);
  if (parts) lines.push(`#EXT-X-PART-INF:PART-TARGET=${partTargetSeconds}`);
  if (skipped > 0) lines.push(`#EXT-X-SKIP:SKIPPED-SEGMENTS=${skipped}`);
  let listedMap = '';
  segments.forEach((segment, index) => {
    if (index < skipped) return;
    const { discontinuity } = segments[index - 1] ?? segment;
    const discontinuities = isContinuous ? 0 : segment.discontinuity - discontinuity;
    // One tag for each number, so that later segments keep their discontinuity numbers.
    for (let count = 0; count < discontinuities; count += 1) lines.push('#EXT-X-DISCONTINUITY');
    const { uri, map } = liveSegmentAddress(segment, playlist);
    if (discontinuities > 0 || map !== listedMap) lines.push(`#EXT-X-MAP:URI="${map}"`);
    listedMap = map;
    lines.push(`#EXT-X-PROGRAM-DATE-TIME:${new Date(segment.startsAtMs).toISOString()}`);
    const partSegment = parts?.complete.get(segment.sequence);
    if (parts && partSegment) lines.push(...partTags(parts, partSegment, rendition));
    lines.push(`#EXTINF:${(segment.durationMicroseconds / 1e6).toFixed(6)},`, uri);
  });
  if (parts) lines.push(...unfinishedSegment(parts, rendition, listedMap));
  if (parts) lines.push(...renditionReports(parts, playlist));
  if (hasEnded) lines.push('#EXT-X-ENDLIST');
  return `${lines.join('\n')}\n`;
}

/** The parts of the segment without a row, and the preload hint for the next part. */
function unfinishedSegment(parts: ListedParts, rendition: string, listedMap: string): string[] {
  const { runId, next, hint } = parts;
  const lines: string[] = [];
  if (next) {
    const { name, map } = nearestRendition(next.segment.renditions, rendition);
    const address = `${next.sessionId}/init/${map}`;
    if (next.isDiscontinuous) lines.push('#EXT-X-DISCONTINUITY');
    if (next.isDiscontinuous || address !== listedMap) lines.push(`#EXT-X-MAP:URI="${address}"`);
    lines.push(`#EXT-X-PROGRAM-DATE-TIME:${new Date(next.segment.startsAtMs).toISOString()}`);
    lines.push(...partTags(parts, next.segment, name));
  }
  const hinted = hint(rendition);
  if (hinted) lines.push(`#EXT-X-PRELOAD-HINT:TYPE=PART,URI="${partUri({ ...hinted, runId })}"`);
  return lines;
}

function partTags({ runId }: ListedParts, { number, renditions }: PartSegment, requested: string): string[] {
  const { name: rendition, parts } = nearestRendition(renditions, requested);
  return parts.map(({ durationMicroseconds, isIndependent }, part) => {
    const uri = partUri({ runId, number, part, rendition });
    const seconds = (durationMicroseconds / 1e6).toFixed(6);
    return `#EXT-X-PART:DURATION=${seconds},URI="${uri}"${isIndependent ? ',INDEPENDENT=YES' : ''}`;
  });
}

function partUri({ runId, number, part, rendition }: PartAddress): string {
  return `${runId}/${number}/${part}/${rendition}.m4s`;
}

function renditionReports(parts: ListedParts, { others = [] }: MediaPlaylist): string[] {
  return others.map(({ rendition, uri }) => {
    const { sequence, part } = parts.end(rendition);
    const report = `#EXT-X-RENDITION-REPORT:URI="${uri}",LAST-MSN=${sequence}`;
    return part === null ? report : `${report},LAST-PART=${part}`;
  });
}
