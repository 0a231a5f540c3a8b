/* Nominal lengths of segments: one constant for each kind. */

/**
 * Segments of a content, of its copy (which end at the next keyframe), and of a cast channel. The exact length is a number of
 * frames.
 */
export const contentSegmentSeconds = 4;
/** Segments of a live run. A packager may make shorter ones, and longer ones up to `maxSegmentMicroseconds`. */
export const liveSegmentSeconds = 2;
