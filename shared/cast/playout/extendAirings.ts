import { nextSegment } from './nextSegment.js';
import { continuesAiring, airingEnd, maxAiringSegments, airingAfter, type Airing } from './airing.js';
import type { Timetable } from './timetable.js';

/** What a channel has decided: where it ends, and its last airing. */
export interface Decided {
  /** Microseconds since 1970. */
  readonly until: number;
  readonly last: Airing | null;
}

/**
 * Decides what a channel plays until `until`, or up to a live segment that may still be stored. Returns the airings that
 * are new, and the last one of before where it has grown.
 *
 * There is one clock: each segment begins when the one before it ends, by its true duration. A program that begins a little
 * too late or too early is shortened or lengthened by as much, because its end is given; so errors never add up. Where
 * `decided.until` is later than the end of the last airing, the time between was skipped: programs go on where they would be.
 */
export function extendAirings(timetable: Timetable, decided: Decided, until: number, liveDeadline: number): Airing[] {
  const airings: GrowingAiring[] = [];
  let { last, until: time } = decided;
  let endsAt = last ? airingEnd(last) : null;
  while (time < until) {
    const before = endsAt === time ? last : null;
    const segment = nextSegment(timetable, { time, last: before, liveDeadline });
    if (!segment) break;
    const isContinued = before !== null && continuesAiring(before, segment);
    let airing = airings.at(-1);
    if (isContinued && before.durations.length < maxAiringSegments) {
      if (!airing) airings.push((airing = { ...before, durations: [...before.durations] }));
      airing.durations.push(segment.duration);
    } else airings.push((airing = airingAfter(last, segment, time, isContinued)));
    last = airing;
    endsAt = time += segment.duration;
  }
  return airings;
}

/** An airing that this call may still add segments to. */
type GrowingAiring = Omit<Airing, 'durations'> & { readonly durations: number[] };

/** What is decided after these airings. */
export function decidedBy(decided: Decided, airings: readonly Airing[]): Decided {
  const last = airings.at(-1);
  return last ? { last, until: airingEnd(last) } : decided;
}
