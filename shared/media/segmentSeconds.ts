/* Nominal lengths of segments: one constant for each kind. */

/** Of a content, of its copy (which ends at the next keyframe), and of what a cast channel plays. The exact length is a number of frames. */
export const contentSegmentSeconds = 4;
/** Of a live run. A packager may make shorter ones, and longer ones up to `maxSegmentMicroseconds`. */
export const liveSegmentSeconds = 2;
