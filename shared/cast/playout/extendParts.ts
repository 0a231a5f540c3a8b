import { nextPiece } from './nextPiece.js';
import { continues, endOf, longestPart, partAfter, type Part } from './part.js';
import type { Timetable } from './timetable.js';

/** What a channel has decided: where it ends, and its last part. */
export interface Decided {
  /** Microseconds since 1970. */
  readonly until: number;
  readonly last: Part | null;
}

/**
 * Decides what a channel plays until `until`, or up to a live segment that may still be stored. Returns the parts that
 * are new, and the last one of before where it has grown.
 *
 * There is one clock: each segment begins when the one before it ends, by its true duration. A program that begins a little
 * too late or too early is shortened or lengthened by as much, because its end is given; so errors never add up. Where
 * `decided.until` is later than the end of the last part, the time between was skipped: programs go on where they would be.
 */
export function extendParts(timetable: Timetable, decided: Decided, until: number, liveDeadline: number): Part[] {
  const parts: GrowingPart[] = [];
  let { last, until: time } = decided;
  let endsAt = last ? endOf(last) : null;
  while (time < until) {
    const before = endsAt === time ? last : null;
    const piece = nextPiece(timetable, { time, last: before, liveDeadline });
    if (!piece) break;
    const isContinued = before !== null && continues(before, piece);
    let part = parts.at(-1);
    if (isContinued && before.durations.length < longestPart) {
      if (!part) parts.push((part = { ...before, durations: [...before.durations] }));
      part.durations.push(piece.duration);
    } else parts.push((part = partAfter(last, piece, time, isContinued)));
    last = part;
    endsAt = time += piece.duration;
  }
  return parts;
}

/** A part that this call may still add segments to. */
type GrowingPart = Omit<Part, 'durations'> & { readonly durations: number[] };

/** What is decided after these parts. */
export function decidedBy(decided: Decided, parts: readonly Part[]): Decided {
  const last = parts.at(-1);
  return last ? { last, until: endOf(last) } : decided;
}
