import type { Slot } from './slot.js';
import type { Part, Piece } from './part.js';
import { slatePiece } from './slatePiece.js';
import type { AiredLiveSegment, Timetable } from './timetable.js';

/** A live segment is played where its time of capture is this near. */
const nearest = 1_000_000;
/** Segments that follow each other are played one after the other, while capture and channel are not further apart. */
const longestDrift = 3_000_000;
/** What the slate shows where a live segment is missing. */
const missing = 2_000_000;

/**
 * The next segment of a live program: the one that follows in the session, or the first one that was captured about now;
 * the slate where there is none. Null while it may still be stored.
 */
export function nextLivePiece(timetable: Timetable, slot: Slot, streamId: string): Piece | null {
  const { time, program, last } = slot;
  const stored = timetable.liveSegments(streamId);
  const next =
    stored.find((segment) => follows(last, segment) && Math.abs(segment.startsAt - time) < longestDrift) ??
    stored.find(({ startsAt }) => startsAt >= time - nearest);
  if (next && next.startsAt < time + longestDrift && (follows(last, next) || next.startsAt < time + nearest)) {
    return livePiece(program.programId, next);
  }
  if (!next && slot.liveDeadline < time + missing) return null;
  const gap = next ? next.startsAt - time : missing;
  return slatePiece(timetable, slot, program.programId, Math.min(gap, missing, slot.rest));
}

function livePiece(programId: string, { sessionId, discontinuity, sequence, duration }: AiredLiveSegment): Piece {
  return { programId, source: { kind: 'LIVE', sessionId, discontinuity, first: sequence }, duration };
}

function follows(last: Part | null, { sessionId, sequence }: AiredLiveSegment): boolean {
  if (last?.source.kind !== 'LIVE') return false;
  return last.source.sessionId === sessionId && last.source.first + last.durations.length === sequence;
}
