export const screenRows = 15;
const columns = 32;

/** The text of one memory of a caption decoder: 15 rows of 32 characters. */
export class CaptionScreen {
  #rows = new Map<number, string[]>();

  get isEmpty(): boolean {
    return ![...this.#rows.values()].some((cells) => cells.some((cell) => cell !== undefined && cell !== ' '));
  }

  /** The displayed lines, from the top, without empty rows. */
  get lines(): string[] {
    return this.#shown().map(({ line }) => line);
  }

  /** The row of the last line, from 0. */
  get lastRow(): number {
    return this.#shown().at(-1)?.row ?? 0;
  }

  /** Past the last column, the last character is replaced. */
  write(row: number, column: number, character: string): void {
    const cells = this.#rows.get(row) ?? [];
    cells[Math.min(column, columns - 1)] = character;
    this.#rows.set(row, cells);
  }

  eraseFrom(row: number, column: number): void {
    this.#rows.get(row)?.splice(column);
  }

  clear(): void {
    this.#rows.clear();
  }

  /** Moves the rows by `by`. Only rows that are then between `first` and `last` are kept. */
  move(first: number, last: number, by: number): void {
    const moved = [...this.#rows].map(([row, cells]) => [row + by, cells] as const);
    this.#rows = new Map(moved.filter(([row]) => row >= first && row <= last));
  }

  #shown(): { readonly row: number; readonly line: string }[] {
    return [...this.#rows]
      .map(([row, cells]) => ({
        row,
        line: Array.from(cells, (cell) => cell ?? ' ')
          .join('')
          .trim(),
      }))
      .filter(({ line }) => line !== '')
      .toSorted((left, right) => left.row - right.row);
  }
}
