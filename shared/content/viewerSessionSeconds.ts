/*
 * How long the grants of one play are valid: one and a half times the duration of the content and a margin, for pauses and
 * slow connections. The files of a generation are kept as long after another one has replaced it.
 */

const durationShare = 1.5;
const marginSeconds = 10 * 60;
/** The shared address of a session changes at most this often, so it may be valid for so much longer. */
export const sessionStepSeconds = 10 * 60;

/** Seconds for which a play of a content, or of a preview of this length, is valid. */
export function sessionSeconds(contentSeconds: number): number {
  return Math.ceil(contentSeconds * durationShare) + marginSeconds;
}

/** SQL: the longest time that a grant for the files of a row of `contents` is valid. */
export const maxViewerSession = `make_interval(secs => coalesce(duration_ms, 0) / 1000.0 * ${durationShare} + ${marginSeconds + 2 * sessionStepSeconds})`;
