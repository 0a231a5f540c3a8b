import { CaptionFileError, longestCueText, longestCueTimeMs, mostCues, orderedCues, type Cue } from './cue.js';
import { nextTurn, Turns } from '../platform/turns.js';
import { cleanCueText, plainCueText } from './cueText.js';

const timestamp = String.raw`(?:(\d{1,3}):)?(\d{1,2}):(\d{2})[.,](\d{1,3})`;
const timingPattern = new RegExp(`^${timestamp}[ \\t]*-->[ \\t]*${timestamp}(?:[ \\t]+(.*))?$`);
/** Settings of WebVTT that say where a cue stands. Others name regions and styles of the file, which are not kept. */
const settingPattern =
  /^(?:vertical:(?:rl|lr)|line:(?:-?\d{1,3}|\d{1,3}(?:\.\d{1,3})?%)(?:,(?:start|center|end))?|position:\d{1,3}(?:\.\d{1,3})?%(?:,(?:line-left|center|line-right))?|size:\d{1,3}(?:\.\d{1,3})?%|align:(?:start|center|end|left|right))$/;
/** So much text is read before other work of the process gets its turn. */
const turnLength = 32 * 1024;
/** With tags and escapes. */
const longestMarkedText = 4 * longestCueText;
/** The code of SSA for the top of the picture, which SubRip files use. */
const topPattern = /\{\\an[789]\}/;
/** Blocks of a WebVTT file that are no cues. */
const otherBlock = /^(?:NOTE|STYLE|REGION)(?:[ \t]|$)/;

/**
 * Reads a file in WebVTT or SubRip: cues in the order of their times, with clean text. UTF-8, or UTF-16 with a byte order mark. Cues
 * without text are left out. Other work of the process runs in between. Throws CaptionFileError.
 */
export async function readCaptions(file: Uint8Array): Promise<Cue[]> {
  const lines = decoded(file)
    .replaceAll(/\r\n?/g, '\n')
    .split('\n')
    .map((line) => line.trimEnd());
  const first = lines[0] ?? '';
  const isWebVtt = /^WEBVTT(?:[ \t]|$)/.test(first);
  const cues: Cue[] = [];
  const turns = new Turns(turnLength);
  for (const block of blocksOf(lines, isWebVtt ? 1 : 0)) {
    if (turns.isDue(block.length)) await nextTurn();
    if (isWebVtt && otherBlock.test(block.lines[0] ?? '')) continue;
    const cue = cueOf(block, isWebVtt && block.line === 2);
    if (cue) cues.push(cue);
    if (cues.length > mostCues) throw new CaptionFileError('tooManyCues', block.line);
  }
  return orderedCues(cues);
}

function decoded(file: Uint8Array): string {
  const [first, second] = file;
  const encoding =
    first === 0xff && second === 0xfe ? 'utf-16le' : first === 0xfe && second === 0xff ? 'utf-16be' : 'utf-8';
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(file);
  } catch {
    throw new CaptionFileError('encoding');
  }
}

interface Block {
  readonly lines: readonly string[];
  /** Of its text. */
  readonly length: number;
  /** Of its first line, counted from 1. */
  readonly line: number;
}

function* blocksOf(lines: readonly string[], from: number): Generator<Block> {
  let block: string[] = [];
  for (const [index, line] of lines.entries()) {
    if (index < from) continue;
    if (line !== '') block.push(line);
    else if (block.length > 0) {
      yield { lines: block, length: lengthOf(block), line: index + 1 - block.length };
      block = [];
    }
  }
  if (block.length > 0) yield { lines: block, length: lengthOf(block), line: lines.length + 1 - block.length };
}

function lengthOf(lines: readonly string[]): number {
  return lines.reduce((sum, { length }) => sum + length + 1, 0);
}

/** Null: the block has no text, or it is the header of a WebVTT file (`mayBeHeader`). */
function cueOf({ lines, line }: Block, mayBeHeader: boolean): Cue | null {
  // A cue may have a name, or in SubRip a number, in the line before its times.
  const at = lines[0]?.includes('->') ? 0 : 1;
  const times = timingPattern.exec(lines[at]?.trim() ?? '');
  if (!times && mayBeHeader && lines.every((one) => !one.includes('-->'))) return null;
  if (!times) throw new CaptionFileError('format', line + Math.min(at, lines.length - 1));
  const startMs = millisecondsOf(times.slice(1, 5));
  const endMs = millisecondsOf(times.slice(5, 9));
  if (endMs <= startMs || endMs > longestCueTimeMs) throw new CaptionFileError('timing', line + at);
  const given = lines.slice(at + 1).join('\n');
  if (given.length > 2 * longestMarkedText) throw new CaptionFileError('tooLongText', line + at + 1);
  const text = cleanCueText(given);
  const length = plainCueText(text).length;
  if (length > longestCueText || text.length > longestMarkedText)
    throw new CaptionFileError('tooLongText', line + at + 1);
  return length === 0 ? null : { startMs, endMs, text, settings: settingsOf(times[9] ?? '', given) };
}

function millisecondsOf([hours = '0', minutes = '', seconds = '', fraction = '']: readonly string[]): number {
  return ((Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds)) * 1000 + Number(fraction.padEnd(3, '0'));
}

function settingsOf(given: string, text: string): string {
  const settings = given.split(/[ \t]+/).filter((setting) => settingPattern.test(setting));
  if (settings.length === 0 && topPattern.test(text)) return 'line:0';
  return settings.slice(0, 5).join(' ');
}

/** The same cues earlier or later; those that would end before 0 are left out. Throws CaptionFileError: none is left. */
export function shiftedCues(cues: readonly Cue[], byMs: number): Cue[] {
  const shifted = cues.map((cue) => ({ ...cue, startMs: Math.max(0, cue.startMs + byMs), endMs: cue.endMs + byMs }));
  return orderedCues(shifted.filter(({ startMs, endMs }) => endMs > startMs));
}
