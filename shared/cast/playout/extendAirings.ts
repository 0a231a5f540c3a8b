import { nextSegment } from './nextSegment.js';
import { continuesAiring, airingEnd, maxAiringSegments, airingAfter, type Airing } from './airing.js';
import type { Timetable } from './timetable.js';

/** The decided playout of a channel: its end, and its last airing. */
export interface Decided {
  /** Microseconds since 1970. */
  readonly until: number;
  readonly last: Airing | null;
}

/**
 * Decides what a channel plays until `until`, or up to a live segment that may still be stored. Returns the new airings,
 * preceded by the previous last airing if it has grown.
 *
 * Each segment begins when the previous one ends, by its exact duration. A program that begins slightly late or early is
 * shortened or extended accordingly, because its end is fixed: errors never add up. If `decided.until` is later than the end
 * of the last airing, the time between them was skipped, and programs continue at their position by the timetable.
 */
export function extendAirings(timetable: Timetable, decided: Decided, until: number, liveDeadline: number): Airing[] {
  const airings: OpenAiring[] = [];
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
type OpenAiring = Omit<Airing, 'durations'> & { readonly durations: number[] };

/** The decided playout after these airings. */
export function decidedBy(decided: Decided, airings: readonly Airing[]): Decided {
  const last = airings.at(-1);
  return last ? { last, until: airingEnd(last) } : decided;
}
