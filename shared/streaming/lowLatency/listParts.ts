import { nearestRendition, type ListedSegment } from '../listedSegment.js';
import type { PartAddress, PartRendition, PartSegment, PartsState } from './partsState.js';

/** The parts that a playlist lists. */
export interface ListedParts {
  readonly runId: string;
  /** Whole segments at the end of the list, by sequence. */
  readonly whole: ReadonlyMap<number, PartSegment>;
  /** The segment behind the last one of the list. Null where it has no parts yet. */
  readonly next: {
    readonly segment: PartSegment;
    readonly sessionId: string;
    readonly sequence: number;
    readonly isDiscontinuous: boolean;
  } | null;
  /** The part that follows in the playlist of a rendition; null where that is not known. */
  hint(this: void, rendition: string): Omit<PartAddress, 'runId'> | null;
  /** Where the playlist of a rendition ends. `part` is null where the last segment is listed without parts. */
  end(this: void, rendition: string): { readonly sequence: number; readonly part: number | null };
}

/** Parts are listed in the last three segments, which is as far from the end as RFC 8216bis recommends. */
const segmentsWithParts = 3;

/**
 * Joins the rows of a stream with the parts of its open run. The number of the unfinished segment is certain: rows have no
 * gaps, the run is the only one that can write the next row, and the state says which segment follows which. A segment has
 * its parts listed when all segments before it have rows. Null where the list ends with another session.
 */
export function listParts(rows: readonly ListedSegment[], state: PartsState, sessionId: string): ListedParts | null {
  const last = rows.at(-1);
  if (last?.sessionId !== sessionId) return null;
  const { runId, segments } = state;
  const isOfRun = last.runId === runId;
  const whole = new Map<number, PartSegment>();
  for (const row of rows.slice(-segmentsWithParts)) {
    const segment = segments.find(({ startsAtMs }) => row.runId === runId && startsAtMs === row.startsAtMs);
    if (segment) whole.set(row.sequence, segment);
  }
  // Before the first row of the run, nothing of it can be stored: else the rows are older than the state.
  const isBehind = !isOfRun && state.storedStartsAtMs !== null;
  const before = isOfRun ? last.startsAtMs : null;
  const segment = isBehind ? undefined : segments.find(({ previousStartsAtMs }) => previousStartsAtMs === before);
  const next = segment
    ? { segment, sessionId, sequence: last.sequence + 1, isDiscontinuous: !isOfRun || segment.isDiscontinuous }
    : null;
  const ending = next?.segment ?? whole.get(last.sequence);
  const renditionOf = (name: string): PartRendition | null =>
    (ending && nearestRendition(ending.renditions, name)) || null;
  return {
    ...{ runId, whole, next },
    hint(asked) {
      const rendition = renditionOf(asked);
      if (!ending || !rendition) return null;
      const { name, parts } = rendition;
      return next && !rendition.isComplete
        ? { number: ending.number, part: parts.length, rendition: name }
        : { number: ending.number + 1, part: 0, rendition: name };
    },
    end(asked) {
      const count = renditionOf(asked)?.parts.length;
      return { sequence: next?.sequence ?? last.sequence, part: count === undefined ? null : count - 1 };
    },
  };
}
