/** Where the segments of an airing are stored; `first` is the one that the airing begins with. */
export type AiringSource =
  | { readonly kind: 'CONTENT'; readonly contentId: string; readonly generation: number; readonly first: number }
  /** One segment of a content, from a frame up to another one (exclusive), which was encoded again. */
  | {
      readonly kind: 'CUT';
      readonly cutId: string;
      readonly contentId: string;
      readonly generation: number;
      readonly firstFrame: number;
      readonly endFrame: number;
      readonly first: 0;
    }
  /** Segments of `lengthSeconds`: those of the loop, or a shorter one that fills a rest. */
  | { readonly kind: 'SLATE'; readonly slateId: string; readonly lengthSeconds: number; readonly first: number }
  /** Segments of a session. Their discontinuity number in the session is the same. */
  | { readonly kind: 'LIVE'; readonly sessionId: string; readonly discontinuity: number; readonly first: number };

/**
 * Segments of a channel that follow each other in one source. Once written, an airing only grows at its end: the number, the
 * time and the file of a segment never change.
 */
export interface Airing {
  /** `EXT-X-MEDIA-SEQUENCE` of its first segment. */
  readonly sequence: number;
  /** One more than that of the airing before, or the same where it continues the same source. */
  readonly discontinuity: number;
  /** Microseconds since 1970, on the clock of the channel. */
  readonly startsAt: number;
  /** Microseconds of each segment. */
  readonly durations: readonly number[];
  /** Null: nothing is programmed. */
  readonly programId: string | null;
  readonly source: AiringSource;
}

/** What the next segment is made of. */
export interface NextSegment {
  readonly programId: string | null;
  readonly source: AiringSource;
  /** Microseconds. */
  readonly duration: number;
}

/** A source goes on in a new airing after so many segments, so that rows stay small. */
export const maxAiringSegments = 150;

/** When an airing is over: microseconds since 1970. */
export function airingEnd({ startsAt, durations }: Airing): number {
  return durations.reduce((sum, duration) => sum + duration, startsAt);
}

/** An airing that begins with a segment, after another airing. `isContinued`: its source goes on without a discontinuity. */
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

/** Whether a segment that begins when an airing ends follows its last one in the same source. */
export function continuesAiring(airing: Airing, { programId, source }: NextSegment): boolean {
  return (
    airing.programId === programId &&
    identityOf(airing.source) === identityOf(source) &&
    airing.source.first + airing.durations.length === source.first
  );
}

/** The same for segments that can follow each other without a discontinuity. */
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
