/** The tags of a stream, which may declare its duration. */
export interface DeclaredStream {
  readonly tags?: Readonly<Record<string, string>>;
}

export interface DeclaredFormat {
  readonly start_time?: string;
  readonly duration?: string;
}

/** The ends of streams that a container declares, in source seconds. NaN if it does not declare them. */
export interface DeclaredEnds {
  readonly video: number;
  readonly audio: number;
  /** End of the longest stream. */
  readonly file: number;
  /**
   * False if the time table and the size table of the video differ in their number of frames: ffprobe then reports a wrong duration
   * of the last frame.
   */
  readonly isLastFrameKnown: boolean;
}

/**
 * The declared ends that ffprobe reports. For MP4, it reports the sample tables instead (`movieEnds`), and for other containers it
 * estimates.
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

/** Parses a duration of Matroska: `00:01:02.500000000`. */
function secondsOfTag(tag: string | undefined): number {
  const [, hours, minutes, seconds] = /^(\d{1,6}):(\d\d):(\d\d(?:\.\d{1,9})?)$/.exec(tag ?? '') ?? [];
  return Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds);
}

/** A smaller difference is no damage: containers round, and count the last frame in different ways. */
const minMissingSeconds = 1;

/**
 * Seconds at the end of a source that its container declares but that could not be read. `ends`: ends of the media that was read;
 * NaN: no such stream.
 */
export function missingEndSeconds(
  declared: Omit<DeclaredEnds, 'isLastFrameKnown'>,
  ends: { readonly video: number; readonly audio: number },
): number {
  const last = Math.max(...[ends.video, ends.audio].filter(Number.isFinite));
  const missing = [declared.video - ends.video, declared.audio - ends.audio, declared.file - last];
  return Math.max(0, ...missing.filter((seconds) => seconds >= minMissingSeconds));
}
