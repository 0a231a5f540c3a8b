import type { AiredLiveSegment, Slot, Timetable } from './timetable.js';
import type { Airing, NextSegment } from './airing.js';
import { nextSlateSegment } from './nextSlateSegment.js';

/** A live segment is played where its time of capture is this near. */
const nearest = 1_000_000;
/** Segments that follow each other are played one after the other, while the channel is not further behind the capture. */
const maxDelay = 3_000_000;
/** How long the slate is shown for a live segment that is missing ... */
const firstMissing = 2_000_000;
/** ... and for those after it: without a discontinuity between them. */
const nextMissing = 4_000_000;

/**
 * The next segment of a live program: the one that follows in the session, or the first one that was captured about now;
 * the slate where there is none. Null while it may still be stored.
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

/** A segment is never played twice, also where it was played a little before the time of its capture. */
function isPlayed(last: Airing | null, { sessionId, sequence }: AiredLiveSegment): boolean {
  if (last?.source.kind !== 'LIVE' || last.source.sessionId !== sessionId) return false;
  return sequence < last.source.first + last.durations.length;
}
