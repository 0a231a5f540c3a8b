/** Consecutive lines of a caption file: a cue, or a WebVTT note, style or region. */
export interface CaptionBlock {
  /** Without trailing spaces. Lines and blocks that are too long are cut (see `CaptionBlocks`). */
  readonly lines: readonly string[];
  /** Number of the first line, counted from 1. */
  readonly line: number;
  /** The block follows the line `WEBVTT` immediately. */
  readonly mayBeHeader: boolean;
}

const signature = /^WEBVTT(?:[ \t]|$)/;
const timestamp = String.raw`(?:(\d{1,3}):)?(\d{1,2}):(\d{2})[.,](\d{1,3})`;
/** A cue's line of times, trimmed. */
export const timingPattern = new RegExp(`^${timestamp}[ \\t]*-->[ \\t]*${timestamp}(?:[ \\t]+(.*))?$`);
const cueNumber = /^\d{1,9}$/;
/** A WebVTT note may contain cues that must not be shown. */
const note = /^NOTE(?:[ \t]|$)/;
const definition = /^(?:STYLE|REGION)(?:[ \t]|$)/;

/**
 * Divides a text that arrives in pieces into blocks. An empty line ends a block, and so do the times of the next cue
 * (WebVTT, 6.3), because many files lack empty lines. Lines are cut to `maxLength` characters, and blocks to about
 * three times as many: name, times and text.
 */
export class CaptionBlocks {
  readonly #maxLength: number;
  #isWebVtt = false;
  #endedWithReturn = false;
  /** The beginning of a line whose end has not arrived. */
  #rest = '';
  #lineCount = 0;
  #lines: string[] = [];
  #length = 0;
  #firstLine = 0;
  /** The next line of times begins another block: this one already has times, or is not a cue. */
  #endsAtTimes = false;

  constructor(maxLength: number) {
    this.#maxLength = maxLength;
  }

  /** The text begins with the signature of a WebVTT file. */
  get isWebVtt(): boolean {
    return this.#isWebVtt;
  }

  /** Adds a piece; yields the blocks that end in it. */
  *add(piece: string): Generator<CaptionBlock> {
    if (piece === '') return;
    const text = this.#endedWithReturn && piece.startsWith('\n') ? piece.slice(1) : piece;
    this.#endedWithReturn = piece.endsWith('\r');
    const [first = '', ...nextLines] = text.replaceAll(/\r\n?/g, '\n').split('\n');
    this.#rest = this.#cut(this.#rest + first);
    for (const line of nextLines) {
      yield* this.#endLine();
      this.#rest = this.#cut(line);
    }
  }

  /** Ends the text; yields its last block. */
  *end(): Generator<CaptionBlock> {
    yield* this.#endLine();
    yield* this.#endBlock();
  }

  #cut(line: string): string {
    return line.slice(0, this.#maxLength);
  }

  *#endLine(): Generator<CaptionBlock> {
    // A line that was cut must stay too long: it is not trimmed.
    const line = this.#rest.length === this.#maxLength ? this.#rest : this.#rest.trimEnd();
    this.#lineCount += 1;
    if (this.#lineCount === 1 && signature.test(line)) this.#isWebVtt = true;
    else if (line === '') yield* this.#endBlock();
    else {
      const isTimes = line.includes('-->') && timingPattern.test(line.trim());
      if (isTimes && this.#endsAtTimes) yield* this.#beginCue();
      this.#addLine(line);
      this.#endsAtTimes ||= isTimes || this.#isOther(definition) || this.#isHeader();
      if (this.#isOther(note)) this.#endsAtTimes = false;
    }
  }

  #addLine(line: string): void {
    if (this.#lines.length === 0) this.#firstLine = this.#lineCount;
    if (this.#length <= 3 * this.#maxLength) this.#lines.push(line);
    this.#length += line.length + 1;
  }

  /** In a file with cue numbers, the line before the times is the number of the new cue. */
  *#beginCue(): Generator<CaptionBlock> {
    const isNumbered = this.#lines.length > 2 && [this.#lines[0], this.#lines.at(-1)].every(isCueNumber);
    const number = isNumbered ? this.#lines.pop() : undefined;
    yield* this.#endBlock();
    if (number === undefined) return;
    this.#lines = [number];
    this.#firstLine = this.#lineCount - 1;
  }

  #isOther(firstLine: RegExp): boolean {
    return this.#isWebVtt && firstLine.test(this.#lines[0] ?? '');
  }

  #isHeader(): boolean {
    return this.#isWebVtt && this.#firstLine === 2;
  }

  *#endBlock(): Generator<CaptionBlock> {
    if (this.#lines.length > 0) {
      yield { lines: this.#lines, line: this.#firstLine, mayBeHeader: this.#isHeader() };
    }
    this.#lines = [];
    this.#length = 0;
    this.#endsAtTimes = false;
  }
}

const isCueNumber = (line = ''): boolean => cueNumber.test(line.trim());
