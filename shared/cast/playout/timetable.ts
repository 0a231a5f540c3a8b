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

/** The input of the playout decision. Programs do not overlap and are in order of time. */
export interface Timetable {
  readonly programs: readonly AiredProgram[];
  /** Stored segments of a stream, in order of time. */
  liveSegments(streamId: string): readonly AiredLiveSegment[];
  /**
   * The stored cut of a content between these frames, or one that ends a few frames earlier or later. Null: none is stored.
   */
  cut(content: AiredContent, firstFrame: number, endFrame: number): AiredCut | null;
  /** The id of the slate to show from a time. Null: none is stored yet. */
  slate(time: number): string | null;
}

export interface AiredCut {
  readonly cutId: string;
  readonly endFrame: number;
}

/** The state of the decision before the next segment. */
export interface Position {
  /** When the next segment begins. */
  readonly time: number;
  /** The airing that ends at `time`. Null: none does. */
  readonly last: Airing | null;
  /** A missing live segment that would end by this time is replaced by the slate. */
  readonly liveDeadline: number;
}

/** The program of the next segment, and the remaining time of that program. */
export interface Slot extends Position {
  readonly program: AiredProgram;
  /** Microseconds until the end of the program. */
  readonly rest: number;
}

/** The next program begins if less than this remains of the current one. */
export const shortestRest = 250_000;
