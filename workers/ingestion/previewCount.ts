import { previewSeconds } from '../../shared/media/grid.js';

/** Rounding errors of summed durations. */
const toleranceSeconds = 1e-6;

/**
 * Number of the first segments that end within the preview. `tailSeconds`: maximum time by which a segment's audio can exceed its
 * video.
 */
export function previewCount(seconds: readonly number[], tailSeconds = 0): number {
  const limit = previewSeconds - tailSeconds + toleranceSeconds;
  let endSeconds = 0;
  const past = seconds.findIndex((duration) => (endSeconds += duration) > limit);
  return past < 0 ? seconds.length : past;
}
