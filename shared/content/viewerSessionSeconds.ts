/*
 * Validity of the grants of one play: one and a half times the duration of the content plus a margin, for pauses and slow
 * connections. The files of a replaced generation are kept equally long.
 */

const durationShare = 1.5;
const marginSeconds = 10 * 60;
/** The shared address of a session changes at most this often, so it may be valid for this much longer. */
export const sessionStepSeconds = 10 * 60;

/** Validity of a play of a content or preview with this duration, in seconds. */
export function sessionSeconds(contentSeconds: number): number {
  return Math.ceil(contentSeconds * durationShare) + marginSeconds;
}

/** SQL: maximum validity of a grant for the files of a row of `contents`. */
export const maxViewerSession = `make_interval(secs => coalesce(duration_ms, 0) / 1000.0 * ${durationShare} + ${marginSeconds + 2 * sessionStepSeconds})`;
