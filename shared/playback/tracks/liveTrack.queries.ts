import type { Context } from '../../platform/context.js';
import { nearestRendition } from '../../streaming/listedSegment.js';
import { audioOnly } from '../../streaming/liveAddress.js';
import type { LiveScope } from '../../streaming/liveScope.js';
import { initialisationFile, isInLiveScope, storedSegment } from '../../streaming/liveTimeline.js';
import { liveFileKey } from '../../streaming/liveRendition.js';
import { trackMapPath, trackSegmentPath } from './trackPath.js';

/** Offset of live timestamps, so that decode times, which precede presentation times, are never negative. */
const streamStartMicroseconds = 10e6;

/** A file of the continuous form of a live stream. */
export interface LiveTrackAddress {
  readonly sessionId: string;
  readonly sequence: number;
  /** `720p`, or `audioOnly`. */
  readonly rendition: string;
}

/**
 * The path of a segment's track (`trackPath.ts`). Its time is the segment's media position in the stream, without the times in
 * which no encoder published. Null: the segment is not stored, or is outside the scope.
 */
export async function liveTrackPath(
  ctx: Context,
  scope: LiveScope,
  { sessionId, sequence, rendition }: LiveTrackAddress,
): Promise<string | null> {
  const row = await storedSegment(ctx, { sessionId, sequence });
  if (!row || row.streamId !== scope.streamId || !isInLiveScope(scope, row.startsAt.getTime())) return null;
  const isAudio = rendition === audioOnly;
  const stored = isAudio
    ? nearestRendition(row.renditions, rendition)
    : row.renditions.find(({ name }) => name === rendition);
  if (!stored) return null;
  const { durationMicroseconds: duration, positionMicroseconds, isJoin } = row;
  const startsAt = streamStartMicroseconds + positionMicroseconds;
  const [key, map] = [liveFileKey(row.folder, stored.file), liveFileKey(row.folder, stored.map)];
  const time = { sequence, startsAt, duration, isJoin, videoStartsAt: null };
  return trackSegmentPath(isAudio ? 'audio' : 'video', time, { key, map });
}

/** Like `liveTrackPath`, for an initialisation segment. */
export async function liveTrackMapPath(
  ctx: Context,
  scope: LiveScope,
  { sessionId, map, kind }: { readonly sessionId: string; readonly map: string; readonly kind: 'video' | 'audio' },
): Promise<string | null> {
  const file = await initialisationFile(ctx, scope, { sessionId, map });
  return file && trackMapPath(kind, 'channel', { map: file.key });
}
