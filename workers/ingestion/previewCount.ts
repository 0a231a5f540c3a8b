import { previewSeconds } from '../../shared/media/grid.js';

/** Sums of durations are not exact. */
const toleranceSeconds = 1e-6;

/**
 * How many of the first segments the preview has, by their durations: those that end within it. `tailSeconds`: so much longer than
 * its video can be the audio of a segment.
 */
export function previewCount(seconds: readonly number[], tailSeconds = 0): number {
  const limit = previewSeconds - tailSeconds + toleranceSeconds;
  let endSeconds = 0;
  const past = seconds.findIndex((duration) => (endSeconds += duration) > limit);
  return past < 0 ? seconds.length : past;
}
