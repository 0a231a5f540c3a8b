import { nextContentSegment } from './nextContentSegment.js';
import { nextLiveSegment } from './nextLiveSegment.js';
import type { NextSegment } from './airing.js';
import { nextSlateSegment } from './nextSlateSegment.js';
import { type AiredProgram, type Position, shortestRest, type Slot, type Timetable } from './timetable.js';

/*
 * What a channel plays next. Nothing here depends on anything but the parameters, so it does not matter which process
 * decides. Times and durations are microseconds.
 */

/** A live program ends with a whole segment of two seconds. */
const shortestLiveRest = 1_000_000;

/** The next segment. Null while a live segment may still be stored, and while the slate is needed and not stored. */
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

/** Whether the next program begins where the decision stands at `time`: nothing, or too little, is left of this one. */
export function hasProgramEnded({ media, endsAt }: AiredProgram, time: number): boolean {
  return endsAt - time < (media.kind === 'LIVE' ? shortestLiveRest : shortestRest);
}
