/** Prints the calls of the demo as readable steps: user, call, result. */
export interface Trace {
  /** A heading for the next steps. */
  chapter(title: string): void;
  /** One call, with the part of the response that matters. */
  step(who: string, call: string, outcome: string): void;
  table(head: readonly string[], rows: readonly (readonly string[])[]): void;
}

const whoWidth = 10;
const callWidth = 46;

export function createTrace(print: (line: string) => void): Trace {
  let number = 0;
  return {
    chapter: (title) => print(`\n${title}`),
    step(who, call, outcome) {
      number += 1;
      print(`${String(number).padStart(4)}  ${who.padEnd(whoWidth)}${call.padEnd(callWidth)} ${outcome}`);
    },
    table(head, rows) {
      const widths = head.map((name, column) =>
        Math.max(name.length, ...rows.map((row) => (row[column] ?? '').length)),
      );
      const line = (cells: readonly string[]): string =>
        `      ${cells.map((cell, column) => (column === 0 ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0))).join('  ')}`;
      print(line(head));
      for (const row of rows) print(line(row));
    },
  };
}
