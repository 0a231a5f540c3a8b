/** Minimum length of a word with one typo, and with two. The same in both engines. */
export const typoLengths = { one: 5, two: 9 } as const;

/** The number of permitted typos in a word; none in numbers. */
export function allowedTypos(word: string): 0 | 1 | 2 {
  if (isNumber(word)) return 0;
  const length = [...word].length;
  if (length >= typoLengths.two) return 2;
  return length >= typoLengths.one ? 1 : 0;
}

export function isNumber(word: string): boolean {
  return /^\d+$/.test(word);
}

/**
 * Whether `candidate` is `word` with at most `maxTypos` typos: letters added, omitted or changed, or two adjacent letters
 * swapped. A wrong first letter counts as two typos, as in Meilisearch. With `prefix`, `word` may match the start of
 * `candidate`.
 */
export function isTypoOf(word: string, candidate: string, maxTypos: number, prefix = false): boolean {
  const from = [...word];
  const to = [...candidate].slice(0, prefix ? from.length + maxTypos : undefined);
  const allowance = from[0] === to[0] ? maxTypos : maxTypos - 1;
  if (allowance < 0 || (!prefix && Math.abs(from.length - to.length) > maxTypos)) return false;
  const lastRow = distances(from, to);
  return prefix ? lastRow.some((distance) => distance <= allowance) : (lastRow[to.length] ?? Infinity) <= allowance;
}

/** Optimal string alignment distances between `from` and every prefix of `to`. */
function distances(from: readonly string[], to: readonly string[]): number[] {
  let before: number[] = [];
  let above = Array.from({ length: to.length + 1 }, (_, column) => column);
  for (let row = 1; row <= from.length; row += 1) {
    const current = [row];
    for (let column = 1; column <= to.length; column += 1) {
      const same = from[row - 1] === to[column - 1] ? 0 : 1;
      let smallest = Math.min(at(above, column) + 1, at(current, column - 1) + 1, at(above, column - 1) + same);
      if (row > 1 && column > 1 && from[row - 1] === to[column - 2] && from[row - 2] === to[column - 1]) {
        smallest = Math.min(smallest, at(before, column - 2) + 1);
      }
      current.push(smallest);
    }
    before = above;
    above = current;
  }
  return above;
}

function at(row: readonly number[], column: number): number {
  return row[column] ?? Infinity;
}
