/** The stored segments of an airing; `first` is the index of the airing's first segment in its source. */
export type AiringSource =
  | { readonly kind: 'CONTENT'; readonly contentId: string; readonly generation: number; readonly first: number }
  /** One segment of a content between two frames (the end is exclusive), encoded again. */
  | {
      readonly kind: 'CUT';
      readonly cutId: string;
      readonly contentId: string;
      readonly generation: number;
      readonly firstFrame: number;
      readonly endFrame: number;
      readonly first: 0;
    }
  /** Segments of `lengthSeconds`: those of the loop, or a shorter one that fills the remaining time. */
  | { readonly kind: 'SLATE'; readonly slateId: string; readonly lengthSeconds: number; readonly first: number }
  /** Segments of a live session with the same discontinuity number. */
  | { readonly kind: 'LIVE'; readonly sessionId: string; readonly discontinuity: number; readonly first: number };

/**
 * Consecutive segments of one source on a channel. A stored airing only grows at its end: the number, time and file of a
 * segment never change.
 */
export interface Airing {
  /** `EXT-X-MEDIA-SEQUENCE` of its first segment. */
  readonly sequence: number;
  /** The previous airing's number plus one, or the same number if this airing continues the same source. */
  readonly discontinuity: number;
  /** Microseconds since 1970, on the channel clock. */
  readonly startsAt: number;
  /** Microseconds of each segment. */
  readonly durations: readonly number[];
  /** Null: nothing is programmed. */
  readonly programId: string | null;
  readonly source: AiringSource;
}

/** The next segment of a channel: its program, source and duration. */
export interface NextSegment {
  readonly programId: string | null;
  readonly source: AiringSource;
  /** Microseconds. */
  readonly duration: number;
}

/** After this many segments a source continues in a new airing, so that rows stay small. */
export const maxAiringSegments = 150;

/** End of an airing: microseconds since 1970. */
export function airingEnd({ startsAt, durations }: Airing): number {
  return durations.reduce((sum, duration) => sum + duration, startsAt);
}

/** A new airing after `last`, with one segment. `isContinued`: its source continues without a discontinuity. */
export function airingAfter(
  last: Airing | null,
  segment: NextSegment,
  startsAt: number,
  isContinued: boolean,
): Airing & { readonly durations: number[] } {
  const { programId, source, duration } = segment;
  return {
    sequence: last ? last.sequence + last.durations.length : 0,
    discontinuity: last ? last.discontinuity + (isContinued ? 0 : 1) : 0,
    startsAt,
    durations: [duration],
    programId,
    source,
  };
}

/** Whether a segment that begins at the end of an airing is the next segment of the same source. */
export function continuesAiring(airing: Airing, { programId, source }: NextSegment): boolean {
  return (
    airing.programId === programId &&
    identityOf(airing.source) === identityOf(source) &&
    airing.source.first + airing.durations.length === source.first
  );
}

/** Equal for segments that can follow each other without a discontinuity. */
function identityOf(source: AiringSource): string {
  switch (source.kind) {
    case 'CONTENT':
      return `CONTENT ${source.contentId} ${source.generation}`;
    case 'CUT':
      return `CUT ${source.cutId}`;
    case 'SLATE':
      return `SLATE ${source.slateId} ${source.lengthSeconds}`;
    case 'LIVE':
      return `LIVE ${source.sessionId} ${source.discontinuity}`;
  }
}
