import { CaptionBlocks, timingPattern, type CaptionBlock } from './captionBlocks.js';
import {
  CaptionFileError,
  cueBytes,
  maxCueText,
  maxCueTimeMs,
  maxMarkedText,
  maxCaptionBytes,
  maxCues,
  orderedCues,
  type Cue,
} from './cue.js';
import { yieldToEventLoop } from '../platform/timeSlices.js';
import { cleanCueText, plainCueText } from './cueText.js';
import { divideCrowded } from './shownAtOnce.js';

/**
 * WebVTT settings of a cue's position. Other settings refer to regions and styles of the file, which are not stored.
 */
const settingPattern =
  /^(?:vertical:(?:rl|lr)|line:(?:-?\d{1,3}|\d{1,3}(?:\.\d{1,3})?%)(?:,(?:start|center|end))?|position:\d{1,3}(?:\.\d{1,3})?%(?:,(?:line-left|center|line-right))?|size:\d{1,3}(?:\.\d{1,3})?%|align:(?:start|center|end|left|right))$/;
/** Bytes to parse before yielding to the event loop. */
const sliceBytes = 32 * 1024;
/** Maximum length of a cue's text in the file. */
const maxBlockLength = 2 * maxMarkedText;
/** The SSA codes for the top of the picture, used in SubRip files. */
const topPattern = /\{\\an[789]\}/;
/** WebVTT blocks that are not cues. */
const otherBlock = /^(?:NOTE|STYLE|REGION)(?:[ \t]|$)/;

export interface CaptionReading {
  /** Added to all times; cues that then end before 0 are dropped. Default: 0. */
  readonly shiftMs?: number;
  /** Leaves out invalid cues, and cues while too many are shown at the same time. Default: such a file is rejected. */
  readonly isLenient?: boolean;
}

/** The cues of a file. */
export interface ReadCaptions {
  /** Ordered by start and end, with clean text. */
  readonly cues: readonly Cue[];
  /** Number of cues left out: their times are invalid, or `isLenient`. */
  readonly leftOutCues: number;
}

/**
 * Reads a WebVTT or SubRip file in UTF-8, or in UTF-16 with a byte order mark. Cues without text, and cues that do not
 * end after their start, are left out. A stream is read in pieces, yielding to the event loop after each. Throws
 * CaptionFileError.
 */
export async function readCaptions(
  file: Uint8Array | AsyncIterable<Uint8Array>,
  { shiftMs = 0, isLenient = false }: CaptionReading = {},
): Promise<ReadCaptions> {
  const blocks = new CaptionBlocks(maxBlockLength + 1);
  const cues: Cue[] = [];
  let bytes = 0;
  let leftOutCues = 0;
  let fault: unknown;
  const take = (block: CaptionBlock): void => {
    if (blocks.isWebVtt && otherBlock.test(block.lines[0] ?? '')) return;
    try {
      const cue = shifted(cueOf(block), shiftMs);
      if (!cue) return;
      cues.push(cue);
      bytes += cueBytes(cue);
    } catch (error) {
      if (!(error instanceof CaptionFileError) || !(isLenient || error.reason === 'timing')) throw error;
      fault ??= error;
      leftOutCues += 1;
    }
    if (cues.length > maxCues) throw new CaptionFileError('tooManyCues', block.line);
    if (bytes > maxCaptionBytes) throw new CaptionFileError('tooLarge', block.line);
  };
  for await (const piece of textOf(file)) {
    for (const block of blocks.add(piece)) take(block);
    await yieldToEventLoop();
  }
  for (const block of blocks.end()) take(block);
  if (cues.length === 0 && fault) throw fault;
  const { shown, crowded } = await divideCrowded(orderedCues(cues));
  if (crowded[0] && !isLenient) throw new CaptionFileError('tooManyAtOnce', 0, crowded[0].startMs);
  return { cues: shown, leftOutCues: leftOutCues + crowded.length };
}

async function* textOf(file: Uint8Array | AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  let decoder: InstanceType<typeof TextDecoder> | undefined;
  const decode = (piece?: Uint8Array): string => {
    try {
      return decoder?.decode(piece, { stream: piece !== undefined }) ?? '';
    } catch {
      throw new CaptionFileError('encoding');
    }
  };
  for await (const piece of file instanceof Uint8Array ? [file] : file) {
    decoder ??= new TextDecoder(encodingOf(piece), { fatal: true });
    for (let start = 0; start < piece.length; start += sliceBytes)
      yield decode(piece.subarray(start, start + sliceBytes));
  }
  yield decode();
}

function encodingOf([first, second]: Uint8Array): string {
  if (first === 0xff && second === 0xfe) return 'utf-16le';
  return first === 0xfe && second === 0xff ? 'utf-16be' : 'utf-8';
}

/** Null: the block has no text, or is a WebVTT header. */
function cueOf({ lines, line, mayBeHeader }: CaptionBlock): Cue | null {
  // The line before the times may contain a name or, in SubRip, a number.
  const at = lines[0]?.includes('->') ? 0 : 1;
  const times = timingPattern.exec(lines[at]?.trim() ?? '');
  if (!times && mayBeHeader && lines.every((one) => !one.includes('-->'))) return null;
  if (!times) throw new CaptionFileError('format', line + Math.min(at, lines.length - 1));
  const startMs = millisecondsOf(times.slice(1, 5));
  const endMs = millisecondsOf(times.slice(5, 9));
  const source = lines.slice(at + 1).join('\n');
  if (source.length > maxBlockLength) throw new CaptionFileError('tooLongText', line + at + 1);
  const text = cleanCueText(source);
  const length = plainCueText(text).length;
  if (length > maxCueText || text.length > maxMarkedText) throw new CaptionFileError('tooLongText', line + at + 1);
  if (length === 0) return null;
  if (endMs <= startMs || endMs > maxCueTimeMs) throw new CaptionFileError('timing', line + at);
  return { startMs, endMs, text, settings: settingsOf(times[9] ?? '', source) };
}

/** The cue, shifted in time. Null: it would end before 0. */
function shifted(cue: Cue | null, byMs: number): Cue | null {
  if (!cue || byMs === 0) return cue;
  const [startMs, endMs] = [Math.max(0, cue.startMs + byMs), cue.endMs + byMs];
  return endMs > startMs ? { ...cue, startMs, endMs } : null;
}

function millisecondsOf([hours = '0', minutes = '', seconds = '', fraction = '']: readonly string[]): number {
  return ((Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds)) * 1000 + Number(fraction.padEnd(3, '0'));
}

function settingsOf(list: string, text: string): string {
  const settings = list.split(/[ \t]+/).filter((setting) => settingPattern.test(setting));
  if (settings.length === 0 && topPattern.test(text)) return 'line:0';
  return settings.slice(0, 5).join(' ');
}
