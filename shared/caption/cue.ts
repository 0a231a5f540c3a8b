/** One caption of a content: text, position, and the time range in which it is shown. */
export interface Cue {
  readonly startMs: number;
  readonly endMs: number;
  /** Text of a WebVTT cue: escaped, without empty lines, and with no tags except `<i>`, `<b>` and `<u>`. */
  readonly text: string;
  /** Settings of a WebVTT cue, such as `line:0 align:left`. Empty: bottom of the picture. */
  readonly settings: string;
}

/** A film of 12 hours with one cue every two seconds has 21,600. */
export const maxCues = 50_000;
/** Length of one cue, without tags. */
export const maxCueText = 2_000;
/** Length of one cue, with tags and escapes. */
export const maxMarkedText = 4 * maxCueText;
/** Size of the WebVTT file. The file of a three-hour film has about 200 kB. */
export const maxCaptionBytes = 4 * 1024 ** 2;
/** Longer than any content. */
export const maxCueTimeMs = 100 * 3_600_000;

/** A caption file is rejected. `line`: the first faulty line, counted from 1. `atMs`: the time of the faulty cue. */
export class CaptionFileError extends Error {
  readonly reason: CaptionFault;
  readonly line: number;
  readonly atMs: number;

  constructor(reason: CaptionFault, line = 0, atMs = 0) {
    super(`${reason} in line ${line}`);
    this.reason = reason;
    this.line = line;
    this.atMs = atMs;
  }
}

export type CaptionFault =
  | 'encoding'
  | 'format'
  | 'timing'
  | 'tooManyCues'
  | 'tooLongText'
  | 'tooLarge'
  | 'tooManyAtOnce'
  | 'noCues';

/**
 * Prepares cues for storage: orders them by start and end, as players require, and removes duplicates. Throws
 * CaptionFileError if there are no cues, too many, or too much text.
 */
export function orderedCues(cues: readonly Cue[]): Cue[] {
  if (cues.length === 0) throw new CaptionFileError('noCues');
  if (cues.length > maxCues) throw new CaptionFileError('tooManyCues');
  if (vttBytes(cues) > maxCaptionBytes) throw new CaptionFileError('tooLarge');
  const ordered = cues.toSorted((one, other) => one.startMs - other.startMs || one.endMs - other.endMs);
  return ordered.filter((cue, index) => {
    const before = ordered[index - 1];
    return !before || before.startMs !== cue.startMs || before.endMs !== cue.endMs || before.text !== cue.text;
  });
}

const emptyFile = 'WEBVTT\n';
const timesOfCue = '\n00:00:00.000 --> 00:00:00.000\n\n';

/** The size of the WebVTT file of these cues (`vttFile.ts`). */
export function vttBytes(cues: readonly Cue[]): number {
  return cues.reduce((sum, cue) => sum + cueBytes(cue), emptyFile.length);
}

/** The bytes that a cue adds to the WebVTT file. */
export function cueBytes({ text, settings }: Cue): number {
  return timesOfCue.length + (settings === '' ? 0 : settings.length + 1) + Buffer.byteLength(text);
}
