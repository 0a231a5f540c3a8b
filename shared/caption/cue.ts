/** One caption: from when to when it is shown, in milliseconds of the content, its text, and where it stands. */
export interface Cue {
  readonly startMs: number;
  readonly endMs: number;
  /** Text of a WebVTT cue: escaped, with no other tags than `<i>`, `<b>` and `<u>`, and no empty line. */
  readonly text: string;
  /** Settings of a WebVTT cue, such as `line:0 align:left`. Empty: at the bottom. */
  readonly settings: string;
}

/** Captions of a film of 12 hours with one cue every two seconds are 21,600. */
export const maxCues = 50_000;
/** Of one cue, without tags. */
export const maxCueText = 2_000;
/** Of one cue, with tags and escapes. */
export const maxMarkedText = 4 * maxCueText;
/** Of all cues, as a WebVTT file: those of a film of three hours are about 200 kB. */
export const maxCaptionBytes = 4 * 1024 ** 2;
/** Larger than any content may be. */
export const maxCueTimeMs = 100 * 3_600_000;

/** Why a file of captions is refused. `line`: the first line at fault, counted from 1. `atMs`: the time of the cue at fault. */
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
 * Cues as they are stored: in the order of their times, which is the only one in which players can show them. Two that are the same
 * are one. Throws CaptionFileError: there are none, too many, or too much text.
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

/** What a cue adds to it. */
export function cueBytes({ text, settings }: Cue): number {
  return timesOfCue.length + (settings === '' ? 0 : settings.length + 1) + Buffer.byteLength(text);
}
