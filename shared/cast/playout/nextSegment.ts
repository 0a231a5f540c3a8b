import { nextContentSegment } from './nextContentSegment.js';
import { nextLiveSegment } from './nextLiveSegment.js';
import type { NextSegment } from './airing.js';
import { nextSlateSegment } from './nextSlateSegment.js';
import { type AiredProgram, type Position, shortestRest, type Slot, type Timetable } from './timetable.js';

/*
 * Pure functions that decide the next segment of a channel: every process gets the same result. Times and durations are
 * microseconds.
 */

/** A live program ends with a complete segment of two seconds. */
const shortestLiveRest = 1_000_000;

/** The next segment. Null while a live segment may still be stored, and while a needed slate is not stored. */
export function nextSegment(timetable: Timetable, position: Position): NextSegment | null {
  const { time } = position;
  const program = timetable.programs.find((one) => !hasProgramEnded(one, time)) ?? null;
  if (!program || program.startsAt - time >= shortestRest) {
    return nextSlateSegment(timetable, position, null, program ? program.startsAt - time : Number.POSITIVE_INFINITY);
  }
  const slot: Slot = { ...position, program, rest: program.endsAt - time };
  const { media } = program;
  if (media.kind === 'LIVE') return nextLiveSegment(timetable, slot, media.streamId);
  const segment = media.kind === 'CONTENT' ? nextContentSegment(timetable, slot, media) : null;
  return segment ?? nextSlateSegment(timetable, position, program.programId, slot.rest);
}

/** Whether a program has ended at `time`, or its remaining time is too short for a segment. */
export function hasProgramEnded({ media, endsAt }: AiredProgram, time: number): boolean {
  return endsAt - time < (media.kind === 'LIVE' ? shortestLiveRest : shortestRest);
}
