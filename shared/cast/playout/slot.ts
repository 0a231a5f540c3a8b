import type { Airing } from './airing.js';
import type { AiredProgram } from './timetable.js';

/* Times and durations are microseconds. */

/** Where the decision stands. */
export interface Position {
  /** When the next segment begins. */
  readonly time: number;
  /** The airing that ends then. Null: there is none. */
  readonly last: Airing | null;
  /** From then on, a live segment that is not stored is replaced by the slate. */
  readonly liveDeadline: number;
}

/** The program that the next segment belongs to, and how long it has to last. */
export interface Slot extends Position {
  readonly program: AiredProgram;
  /** Until the end of the program. */
  readonly rest: number;
}

/** The next program begins where less than this is left of a program. */
export const shortestRest = 250_000;
