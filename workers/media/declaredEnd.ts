/** A stream, and what its container says of its length. */
export interface DeclaredStream {
  readonly tags?: Readonly<Record<string, string>>;
}

export interface DeclaredFormat {
  readonly start_time?: string;
  readonly duration?: string;
}

/** When streams end as their container declares it, in seconds of the source. NaN if it does not say. */
export interface DeclaredEnds {
  readonly video: number;
  readonly audio: number;
  /** The longest stream of the file. */
  readonly file: number;
  /**
   * False: its table of times has more frames than there are. ffprobe shows the last one for all the time of those that are
   * missing.
   */
  readonly isLastFrameKnown: boolean;
}

/**
 * As far as ffprobe reads it: of MP4 it gives what the tables hold (`movieEnds`), and of other containers than these it estimates.
 */
export function declaredEnds(
  demuxer: string,
  streams: { readonly video: DeclaredStream | undefined; readonly audio: DeclaredStream | undefined },
  format: DeclaredFormat,
): DeclaredEnds {
  const endOf = (stream: DeclaredStream | undefined): number =>
    demuxer === 'matroska' ? secondsOfTag(stream?.tags?.['DURATION']) : Number.NaN;
  const file = demuxer === 'flv' ? Number(format.start_time) + Number(format.duration) : Number.NaN;
  return { video: endOf(streams.video), audio: endOf(streams.audio), file, isLastFrameKnown: true };
}

/** As Matroska writes it: `00:01:02.500000000`. */
function secondsOfTag(tag: string | undefined): number {
  const [, hours, minutes, seconds] = /^(\d{1,6}):(\d\d):(\d\d(?:\.\d{1,9})?)$/.exec(tag ?? '') ?? [];
  return Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds);
}

/** Less than this is no damage: containers round, and count the last frame in different ways. */
const minMissingSeconds = 1;

/**
 * Seconds at the end of a source that its container declares and that could not be read. `ends`: what was read; NaN: no such
 * stream.
 */
export function missingEndSeconds(
  declared: Omit<DeclaredEnds, 'isLastFrameKnown'>,
  ends: { readonly video: number; readonly audio: number },
): number {
  const last = Math.max(...[ends.video, ends.audio].filter(Number.isFinite));
  const missing = [declared.video - ends.video, declared.audio - ends.audio, declared.file - last];
  return Math.max(0, ...missing.filter((seconds) => seconds >= minMissingSeconds));
}
