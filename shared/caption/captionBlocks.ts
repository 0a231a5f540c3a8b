/** Lines of a file of captions that belong together: a cue, or a note, style or region of WebVTT. */
export interface CaptionBlock {
  /** Without spaces at their ends. The end of a longer one is missing, see `CaptionBlocks`. */
  readonly lines: readonly string[];
  /** Number of its first line, counted from 1. */
  readonly line: number;
  /** What follows the line `WEBVTT` immediately. */
  readonly mayBeHeader: boolean;
}

const signature = /^WEBVTT(?:[ \t]|$)/;
const timestamp = String.raw`(?:(\d{1,3}):)?(\d{1,2}):(\d{2})[.,](\d{1,3})`;
/** The line with the times of a cue, without spaces at its ends. */
export const timingPattern = new RegExp(`^${timestamp}[ \\t]*-->[ \\t]*${timestamp}(?:[ \\t]+(.*))?$`);
const cueNumber = /^\d{1,9}$/;
/** A note of a WebVTT file may contain cues that are not to be shown. */
const note = /^NOTE(?:[ \t]|$)/;
const definition = /^(?:STYLE|REGION)(?:[ \t]|$)/;

/**
 * Divides a text that arrives in pieces into blocks. An empty line ends a block, and so do the times of the next cue (WebVTT, 6.3): many
 * files lack empty lines. Of a line it keeps `maxLength` characters, and of a block three times as many: those
 * of a name, of times, and of a text.
 */
export class CaptionBlocks {
  readonly #maxLength: number;
  #isWebVtt = false;
  #endedWithReturn = false;
  /** A line whose end has not arrived. */
  #rest = '';
  #lineCount = 0;
  #lines: string[] = [];
  #length = 0;
  #firstLine = 0;
  /** The block has the times of its cue, or is no cue: times begin another block. */
  #endsAtTimes = false;

  constructor(maxLength: number) {
    this.#maxLength = maxLength;
  }

  /** The first line of the text is that of a WebVTT file. */
  get isWebVtt(): boolean {
    return this.#isWebVtt;
  }

  /** The blocks that end in this piece. */
  *add(piece: string): Generator<CaptionBlock> {
    if (piece === '') return;
    const text = this.#endedWithReturn && piece.startsWith('\n') ? piece.slice(1) : piece;
    this.#endedWithReturn = piece.endsWith('\r');
    const [first = '', ...others] = text.replaceAll(/\r\n?/g, '\n').split('\n');
    this.#rest = this.#cut(this.#rest + first);
    for (const line of others) {
      yield* this.#endLine();
      this.#rest = this.#cut(line);
    }
  }

  /** The block that ends with the text. */
  *end(): Generator<CaptionBlock> {
    yield* this.#endLine();
    yield* this.#endBlock();
  }

  #cut(line: string): string {
    return line.slice(0, this.#maxLength);
  }

  *#endLine(): Generator<CaptionBlock> {
    // One that was cut stays too long.
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

  /** In a file that numbers its cues, the line before the times is the number of the cue that begins. */
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
