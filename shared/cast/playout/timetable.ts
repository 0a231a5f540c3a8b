import type { Grid } from '../../media/grid.js';
import type { Airing } from './airing.js';

/** All times are microseconds since 1970. */
export interface AiredProgram {
  readonly programId: string;
  readonly startsAt: number;
  readonly endsAt: number;
  readonly media: AiredMedia;
}

/** SLATE: a break, or a program whose content or stream may not be played. */
export type AiredMedia =
  | { readonly kind: 'CONTENT'; readonly content: AiredContent; readonly offsetSeconds: number }
  | { readonly kind: 'LIVE'; readonly streamId: string }
  | { readonly kind: 'SLATE' };

export interface AiredContent {
  readonly contentId: string;
  readonly generation: number;
  readonly grid: Grid;
}

/** A stored segment of a stream. */
export interface AiredLiveSegment {
  readonly sessionId: string;
  readonly sequence: number;
  readonly discontinuity: number;
  readonly startsAt: number;
  readonly duration: number;
}

/** What a channel plays. Programs do not overlap and are in order of time. */
export interface Timetable {
  readonly programs: readonly AiredProgram[];
  /** Stored segments of a stream, in order of time. */
  liveSegments(streamId: string): readonly AiredLiveSegment[];
  /**
   * A stored segment that was cut from a content at these frames, or that ends a few frames earlier or later. Null: there is
   * none.
   */
  cut(content: AiredContent, firstFrame: number, endFrame: number): AiredCut | null;
  /** The id of the slate to show from a time on. Null: none is stored yet. */
  slate(time: number): string | null;
}

export interface AiredCut {
  readonly cutId: string;
  readonly endFrame: number;
}

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
