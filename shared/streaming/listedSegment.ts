import type { SegmentRendition } from './liveRendition.js';

/** A stored segment with its sequence and discontinuity numbers. */
export interface ListedSegment {
  readonly sessionId: string;
  readonly runId: string;
  readonly sequence: number;
  readonly discontinuity: number;
  readonly startsAtMs: number;
  readonly durationMicroseconds: number;
  readonly renditions: readonly SegmentRendition[];
}

/**
 * The file of a segment in a rendition, or in the rendition with the nearest height: runs have different ladders, and a run
 * that cannot keep real time drops a rendition, while players stay on its playlist.
 */
export function nearestRendition<Rendition extends { readonly name: string }>(
  renditions: readonly Rendition[],
  name: string,
): Rendition {
  const distanceOf = (other: { readonly name: string }): number => Math.abs(heightOf(other.name) - heightOf(name));
  const nearest = renditions.toSorted((left, right) => distanceOf(left) - distanceOf(right))[0];
  if (!nearest) throw new Error('a segment without renditions');
  return nearest;
}

/** The rendition with this name or the next lower one. If all are higher, the lowest one. */
export function nextLower<Rendition extends { readonly name: string }>(
  renditions: readonly Rendition[],
  name: string,
): Rendition {
  const height = heightOf(name);
  const [lowest, ...higher] = renditions.toSorted((left, right) => heightOf(left.name) - heightOf(right.name));
  if (!lowest) throw new Error('a segment without renditions');
  return higher.findLast((rendition) => heightOf(rendition.name) <= height) ?? lowest;
}

/** The rendition with this name or the next higher one. If all are lower, the highest one. */
export function nextHigher<Rendition extends { readonly name: string }>(
  renditions: readonly Rendition[],
  name: string,
): Rendition {
  const height = heightOf(name);
  const sorted = renditions.toSorted((left, right) => heightOf(left.name) - heightOf(right.name));
  const found = sorted.find((rendition) => heightOf(rendition.name) >= height) ?? sorted.at(-1);
  if (!found) throw new Error('a segment without renditions');
  return found;
}

/** The number in a name such as `720p`. */
export function heightOf(name: string): number {
  return Number.parseInt(name, 10) || 0;
}
