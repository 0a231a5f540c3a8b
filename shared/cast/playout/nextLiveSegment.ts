import type { AiredLiveSegment, Slot, Timetable } from './timetable.js';
import type { Airing, NextSegment } from './airing.js';
import { nextSlateSegment } from './nextSlateSegment.js';

/** A live segment is played if its capture time differs from the channel clock by at most this. */
const nearest = 1_000_000;
/** Consecutive segments are played without a gap while the channel is at most this far behind the capture time. */
const maxDelay = 3_000_000;
/** Duration of the slate for a missing live segment ... */
const firstMissing = 2_000_000;
/** ... and for the next missing ones, which continue the slate's loop without a discontinuity. */
const nextMissing = 4_000_000;

/**
 * The next segment of a live program: the next one of the session, or else the first one captured about now, or else the
 * slate. Null while the segment may still be stored.
 */
export function nextLiveSegment(timetable: Timetable, slot: Slot, streamId: string): NextSegment | null {
  const { time, program, last } = slot;
  const stored = timetable.liveSegments(streamId).filter((segment) => !isPlayed(last, segment));
  const next =
    stored.find((segment) => follows(last, segment) && segment.startsAt > time - maxDelay) ??
    stored.find(({ startsAt }) => startsAt >= time - nearest);
  if (next && next.startsAt < time + nearest) return liveSegment(program.programId, next);
  const missing = last?.programId === program.programId && last.source.kind === 'SLATE' ? nextMissing : firstMissing;
  if (!next && slot.liveDeadline < time + missing) return null;
  const gap = next ? next.startsAt - time : missing;
  return nextSlateSegment(timetable, slot, program.programId, Math.min(gap, missing, slot.rest));
}

function liveSegment(
  programId: string,
  { sessionId, discontinuity, sequence, duration }: AiredLiveSegment,
): NextSegment {
  return { programId, source: { kind: 'LIVE', sessionId, discontinuity, first: sequence }, duration };
}

function follows(last: Airing | null, { sessionId, sequence }: AiredLiveSegment): boolean {
  if (last?.source.kind !== 'LIVE') return false;
  return last.source.sessionId === sessionId && last.source.first + last.durations.length === sequence;
}

/** Prevents that a segment is played twice, also if it was played slightly before its capture time. */
function isPlayed(last: Airing | null, { sessionId, sequence }: AiredLiveSegment): boolean {
  if (last?.source.kind !== 'LIVE' || last.source.sessionId !== sessionId) return false;
  return sequence < last.source.first + last.durations.length;
}
