import type { Position, Timetable } from './timetable.js';
import type { NextSegment } from './airing.js';

/** A slate consists of a loop of this many segments of four seconds, and one segment of each shorter length. */
export const slateLoopSegments = 15;
export const slateLengthsSeconds = [4, 2, 1, 0.5] as const;

/** Index of a segment among the files of a slate: first those of the loop, then one of each shorter length. */
export function slateFileIndex(lengthSeconds: number, index: number): number {
  const [loopLength, ...shorter] = slateLengthsSeconds;
  return lengthSeconds === loopLength ? index : slateLoopSegments + shorter.findIndex((one) => one === lengthSeconds);
}

const shortestLength = 0.5;

/**
 * The next segment of a slate that has to fill `rest` microseconds: the longest that fits, at least half a second, so the
 * slate ends within a quarter of a second of its target. Null while no slate is stored.
 */
export function nextSlateSegment(
  timetable: Timetable,
  position: Position,
  programId: string | null,
  rest: number,
): NextSegment | null {
  const { last, time } = position;
  const lengthSeconds = slateLengthsSeconds.find((length) => length * 1e6 <= rest) ?? shortestLength;
  const shown = last?.programId === programId && last.source.kind === 'SLATE' ? last.source : null;
  const slateId = shown?.lengthSeconds === 4 && !isLoopOver(last) ? shown.slateId : timetable.slate(time);
  if (slateId === null) return null;
  const isNext = lengthSeconds === 4 && shown?.lengthSeconds === 4 && shown.slateId === slateId && !isLoopOver(last);
  const first = isNext ? shown.first + (last?.durations.length ?? 0) : 0;
  return {
    programId,
    source: { kind: 'SLATE', slateId, lengthSeconds, first },
    duration: lengthSeconds * 1e6,
  };
}

function isLoopOver(last: Position['last']): boolean {
  return last !== null && last.source.first + last.durations.length >= slateLoopSegments;
}
