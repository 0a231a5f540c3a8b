import type { AiredContent, AiredCut } from './timetable.js';

/** A cut whose files are stored. */
export interface StoredCut extends AiredCut {
  readonly contentId: string;
  readonly generation: number;
  readonly firstFrame: number;
}

/** A cut that ends so much earlier or later is as good: the next program begins so much earlier or later. */
const toleranceSeconds = 0.1;

/** The cut from a frame whose end is the nearest. One that leads to a whole segment has to end exactly there. */
export function nearestCut(
  cuts: readonly StoredCut[],
  { contentId, generation, grid }: AiredContent,
  firstFrame: number,
  endFrame: number,
): AiredCut | null {
  const [rate, scale] = grid.frameRate;
  const leadsToSegment = endFrame % grid.framesPerSegment === 0;
  const tolerance = leadsToSegment ? 0 : (toleranceSeconds * rate) / scale;
  const distance = (cut: StoredCut): number => Math.abs(cut.endFrame - endFrame);
  const [nearest] = cuts
    .filter((cut) => cut.contentId === contentId && cut.generation === generation && cut.firstFrame === firstFrame)
    .filter((cut) => distance(cut) <= tolerance)
    .toSorted((left, right) => distance(left) - distance(right));
  return nearest ?? null;
}
