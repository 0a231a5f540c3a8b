import { captionCommands, isCommand, isMiscellaneous } from './captionChannels.js';
import { basicCharacter, characterOfCommand } from './captionCharacters.js';
import { CaptionScreen, screenRows } from './captionScreen.js';

/** Displayed text. Milliseconds on the timeline of the pairs. */
export interface DecodedCaption {
  readonly startMs: number;
  readonly endMs: number;
  readonly lines: readonly string[];
  /** The text is in the upper half of the picture. */
  readonly isAtTop: boolean;
}

/** Rows of preamble address codes by the low bits of their first byte; the second byte may add one (CEA-608, table 53). */
const preambleRows = [10, 0, 2, 11, 13, 4, 6, 8];
const bottomRow = screenRows - 1;

/**
 * Decodes one channel of CEA-608 into text with times. Styles and colours are dropped. Text that is displayed while it is written
 * (roll-up, paint-on) starts as one caption with its first character: no caption contains half a word.
 */
export class CaptionDecoder {
  #mode: 'popOn' | 'paintOn' | 'rollUp' = 'popOn';
  #depth = 2;
  #shown = new CaptionScreen();
  #hidden = new CaptionScreen();
  #row = bottomRow;
  #column = 0;
  #shownSinceMs = 0;
  /** Encoders send each command twice; the repetition is ignored. */
  #last: number | null = null;

  constructor(private readonly onCaption: (caption: DecodedCaption) => void) {}

  /** Processes the next pair of the channel. `ms`: presentation time of its frame. */
  add({ first, second }: { readonly first: number; readonly second: number }, ms: number): void {
    if (!isCommand(first)) {
      this.#last = null;
      for (const code of [first, second]) this.#write(basicCharacter(code), ms);
      return;
    }
    const command = first * 256 + second;
    const isRepeated = this.#last === command;
    this.#last = isRepeated ? null : command;
    if (!isRepeated) this.#execute(first & ~0x08, second, ms);
  }

  /** Must be called at the end of the video. */
  end(ms: number): void {
    this.#finish(ms);
  }

  #execute(first: number, second: number, ms: number): void {
    if (second >= 0x40) return this.#place(first, second);
    if (isMiscellaneous(first, second)) return this.#control(second, ms);
    if (first === 0x17 && second > 0x20 && second < 0x24) this.#column += second - 0x20;
    // A mid-row style code occupies one column, like a space.
    if (first === 0x11 && second < 0x30) return this.#write(' ', ms);
    const written = characterOfCommand(first, second);
    if (!written) return;
    if (written.replaces) this.#column = Math.max(0, this.#column - 1);
    this.#write(written.character, ms);
  }

  #control(second: number, ms: number): void {
    switch (second) {
      case captionCommands.popOn:
        this.#mode = 'popOn';
        break;
      case captionCommands.paintOn:
        this.#mode = 'paintOn';
        break;
      case captionCommands.rollUp2:
      case captionCommands.rollUp2 + 1:
      case captionCommands.rollUp4:
        this.#rollUp(second - captionCommands.rollUp2 + 2, ms);
        break;
      case captionCommands.backspace:
        this.#column = Math.max(0, this.#column - 1);
        this.#written.eraseFrom(this.#row, this.#column);
        break;
      case captionCommands.eraseToEnd:
        this.#written.eraseFrom(this.#row, this.#column);
        break;
      case captionCommands.eraseShown:
        this.#finish(ms);
        this.#shown.clear();
        break;
      case captionCommands.eraseHidden:
        this.#hidden.clear();
        break;
      case captionCommands.carriageReturn:
        this.#return(ms);
        break;
      case captionCommands.flip:
        this.#finish(ms);
        [this.#shown, this.#hidden] = [this.#hidden, this.#shown];
        this.#mode = 'popOn';
    }
  }

  #rollUp(depth: number, ms: number): void {
    if (this.#mode !== 'rollUp') {
      this.#finish(ms);
      this.#shown.clear();
      this.#hidden.clear();
      [this.#row, this.#column] = [bottomRow, 0];
    }
    [this.#mode, this.#depth] = ['rollUp', depth];
  }

  #return(ms: number): void {
    if (this.#mode !== 'rollUp') return;
    this.#finish(ms);
    this.#shown.move(this.#row - this.#depth + 1, this.#row, -1);
    this.#column = 0;
  }

  #place(first: number, second: number): void {
    const row = (preambleRows[first & 7] ?? 0) + (second & 0x20 && first !== 0x10 ? 1 : 0);
    if (this.#mode === 'rollUp' && row !== this.#row) this.#shown.move(0, bottomRow, row - this.#row);
    this.#row = row;
    this.#column = second & 0x10 ? ((second & 0x0e) >> 1) * 4 : 0;
  }

  #write(character: string, ms: number): void {
    if (character === '') return;
    if (this.#mode !== 'popOn' && this.#shown.isEmpty) this.#shownSinceMs = ms;
    this.#written.write(this.#row, this.#column, character);
    this.#column += 1;
  }

  /** The memory that characters are written to. */
  get #written(): CaptionScreen {
    return this.#mode === 'popOn' ? this.#hidden : this.#shown;
  }

  /** Ends the displayed caption; the next text starts a new one. */
  #finish(ms: number): void {
    const startMs = this.#shownSinceMs;
    // One frame may contain hundreds of commands: text without any display time is not composed.
    if (ms <= startMs) return;
    this.#shownSinceMs = ms;
    const { lines, lastRow } = this.#shown;
    if (lines.length > 0) this.onCaption({ startMs, endMs: ms, lines, isAtTop: lastRow < screenRows / 2 });
  }
}
