/** Lines of a file of captions without an empty line between them: a cue, or a note, style or region of WebVTT. */
export interface CaptionBlock {
  /** Without spaces at their ends. The end of a longer one is missing, see `CaptionBlocks`. */
  readonly lines: readonly string[];
  /** Number of its first line, counted from 1. */
  readonly line: number;
  /** What follows the line `WEBVTT` immediately. */
  readonly mayBeHeader: boolean;
}

const signature = /^WEBVTT(?:[ \t]|$)/;

/**
 * Divides a text that arrives in pieces into blocks. Of a line it keeps `maxLength` characters, and of a block three times as many: those
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
      if (this.#lines.length === 0) this.#firstLine = this.#lineCount;
      if (this.#length <= 3 * this.#maxLength) this.#lines.push(line);
      this.#length += line.length + 1;
    }
  }

  *#endBlock(): Generator<CaptionBlock> {
    if (this.#lines.length > 0) {
      const mayBeHeader = this.#isWebVtt && this.#firstLine === 2;
      yield { lines: this.#lines, line: this.#firstLine, mayBeHeader };
    }
    this.#lines = [];
    this.#length = 0;
  }
}
