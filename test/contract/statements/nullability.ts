/**
 * The tables that a statement reads only on the nullable side of a LEFT JOIN: any of their columns may be null in the result. A
 * table that it also reads elsewhere is excluded, because the column may come from there.
 */
export function outerTables(sql: string, tables: ReadonlySet<string>): ReadonlySet<string> {
  const words = wordsOf(sql);
  const bodies = queriesOfWith(words);
  const outer = joinedRanges(words);
  const isOuter = (position: number): boolean => {
    if (outer.some((range) => isIn(range, position))) return true;
    const body = bodies.find(({ range }) => isIn(range, position));
    if (!body) return false;
    const readings = positionsOf(words, body.name).filter(
      (reading) => !isIn(body.range, reading) && reading !== body.at,
    );
    return readings.length > 0 && readings.every(isOuter);
  };
  const found = new Set<string>();
  for (const table of tables) {
    const readings = positionsOf(words, table);
    if (readings.length > 0 && readings.every(isOuter)) found.add(table);
  }
  return found;
}

const clauses = ['SELECT', 'ON', 'WHERE', 'SET', 'RETURNING', 'CASE', 'HAVING', 'GROUP', 'ORDER', 'VALUES'];

/**
 * Whether a WHERE condition or a SET assignment implies that a column is not null in the result: `price IS NOT NULL`, `price > 0`,
 * `price = $price`. OR is ignored. False if the statement also tests for null.
 */
export function isKnownNotNull(sql: string, column: string): boolean {
  const words = wordsOf(sql);
  const isComparison = (word: string | undefined): boolean => word === '=' || word === '<' || word === '>';
  const mentions = words.flatMap((word, at) => (word === column ? [at] : []));
  if (mentions.some((at) => words[at + 1] === 'IS' && words[at + 2] === 'NULL')) return false;
  return mentions.some((at) => {
    const before = words[at - 1] === '.' ? at - 3 : at - 1;
    const isMet = words.slice(at + 1, at + 4).join(' ') === 'IS NOT NULL';
    const clause = words.slice(0, at).findLast((word) => clauses.includes(word)) ?? '';
    return (isMet || isComparison(words[at + 1]) || isComparison(words[before])) && ['WHERE', 'SET'].includes(clause);
  });
}

interface Range {
  readonly start: number;
  readonly end: number;
}

const isIn = ({ start, end }: Range, position: number): boolean => start <= position && position <= end;

function wordsOf(sql: string): string[] {
  const withoutTexts = sql.replaceAll(/'(?:[^']|'')*'/g, "''").replaceAll(/--[^\n]*/g, '');
  return withoutTexts.match(/\w+|[^\w\s]/g) ?? [];
}

/** The positions at which a name is neither a column nor the qualifier of a column. */
function positionsOf(words: readonly string[], name: string): number[] {
  return words.flatMap((word, at) => (word === name && words[at - 1] !== '.' && words[at + 1] !== '.' ? [at] : []));
}

/** The range of a parenthesized group; for any other word, only the word. */
function groupAt(words: readonly string[], start: number): Range {
  if (words[start] !== '(') return { start, end: start };
  let depth = 0;
  for (let end = start; end < words.length; end++) {
    if (words[end] === '(') depth++;
    if (words[end] === ')' && --depth === 0) return { start, end };
  }
  return { start, end: words.length };
}

function joinedRanges(words: readonly string[]): Range[] {
  return words.flatMap((word, at) => {
    if (word === 'RIGHT' || word === 'FULL') throw new Error(`${word} JOIN is not understood: write a LEFT JOIN`);
    if (word !== 'LEFT' || words[at + 1] === '(') return [];
    let joined = at + 1;
    while (['OUTER', 'JOIN', 'LATERAL'].includes(words[joined] ?? '')) joined++;
    return [groupAt(words, joined)];
  });
}

/** `WITH name AS (...)`, or `WITH name AS MATERIALIZED (...)` */
function queriesOfWith(
  words: readonly string[],
): { readonly name: string; readonly at: number; readonly range: Range }[] {
  return words.flatMap((name, at) => {
    if (words[at + 1] !== 'AS' || !['WITH', 'RECURSIVE', ','].includes(words[at - 1] ?? '')) return [];
    let start = at + 2;
    while (['NOT', 'MATERIALIZED'].includes(words[start] ?? '')) start++;
    return words[start] === '(' ? [{ name, at, range: groupAt(words, start) }] : [];
  });
}
