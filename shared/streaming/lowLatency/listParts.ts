import { nearestRendition, type ListedSegment } from '../listedSegment.js';
import type { PartAddress, PartRendition, PartSegment, PartsState } from './partsState.js';

/** The parts that a playlist lists. */
export interface ListedParts {
  readonly runId: string;
  /** Complete segments at the end of the playlist, by sequence. */
  readonly complete: ReadonlyMap<number, PartSegment>;
  /** The unfinished segment after the last listed one. Null if it has no parts yet. */
  readonly next: {
    readonly segment: PartSegment;
    readonly sessionId: string;
    readonly sequence: number;
    readonly isDiscontinuous: boolean;
  } | null;
  /** The next part in the playlist of a rendition; null if unknown. */
  hint(this: void, rendition: string): Omit<PartAddress, 'runId'> | null;
  /** End of a rendition's playlist. `part` is null if the last segment is listed without parts. */
  end(this: void, rendition: string): { readonly sequence: number; readonly part: number | null };
}

/** The last three segments are listed with parts, as RFC 8216bis recommends. */
const segmentsWithParts = 3;

/**
 * Joins the rows of a stream with the parts of its open run. The number of the unfinished segment is certain: rows have no
 * gaps, only this run can write the next row, and the state contains the order of its segments. The parts of a segment are
 * listed when all earlier segments have rows. Null if the newest row belongs to another session.
 */
export function listParts(rows: readonly ListedSegment[], state: PartsState, sessionId: string): ListedParts | null {
  const last = rows.at(-1);
  if (last?.sessionId !== sessionId) return null;
  const { runId, segments } = state;
  const isOfRun = last.runId === runId;
  const complete = new Map<number, PartSegment>();
  for (const row of rows.slice(-segmentsWithParts)) {
    const segment = segments.find(({ startsAtMs }) => row.runId === runId && startsAtMs === row.startsAtMs);
    if (segment) complete.set(row.sequence, segment);
  }
  // Rows without the run are older than the state if the state reports a stored segment.
  const isBehind = !isOfRun && state.storedStartsAtMs !== null;
  const before = isOfRun ? last.startsAtMs : null;
  const segment = isBehind ? undefined : segments.find(({ previousStartsAtMs }) => previousStartsAtMs === before);
  const next = segment
    ? { segment, sessionId, sequence: last.sequence + 1, isDiscontinuous: !isOfRun || segment.isDiscontinuous }
    : null;
  const ending = next?.segment ?? complete.get(last.sequence);
  const renditionOf = (name: string): PartRendition | null =>
    (ending && nearestRendition(ending.renditions, name)) || null;
  return {
    ...{ runId, complete, next },
    hint(requested) {
      const rendition = renditionOf(requested);
      if (!ending || !rendition) return null;
      const { name, parts } = rendition;
      return next && !rendition.isComplete
        ? { number: ending.number, part: parts.length, rendition: name }
        : { number: ending.number + 1, part: 0, rendition: name };
    },
    end(requested) {
      const count = renditionOf(requested)?.parts.length;
      return { sequence: next?.sequence ?? last.sequence, part: count === undefined ? null : count - 1 };
    },
  };
}
