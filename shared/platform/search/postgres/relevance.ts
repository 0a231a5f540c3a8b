import type { SearchIndex } from '../search.js';
import type { QueryText } from '../tokenizer.js';
import type { Binds } from './filterConditions.js';
import { fieldRanks, lexemeOf } from './documentRow.js';

/** A word of the query, and the words of the vocabulary that it may be a typo of. */
export interface QueryWord {
  readonly word: string;
  readonly prefix: boolean;
  readonly typos: readonly string[];
}

/**
 * A document matches if a group contains the first word. The more of the following words the group contains without a gap, the
 * higher the hit ranks. Adding a word therefore never removes all hits (Meilisearch's matching strategy `last`).
 */
export function matchSql(
  index: SearchIndex,
  groups: readonly string[],
  words: readonly QueryWord[],
  binds: Binds,
): string {
  return matchesSql(index, groups, words.slice(0, 1), binds);
}

function matchesSql(index: SearchIndex, groups: readonly string[], words: readonly QueryWord[], binds: Binds): string {
  const inGroups = groupNumbers(index, groups).map(({ number }) => `(${tsquery(number, words)})`);
  return `words @@ ${binds.add(inGroups.join(' | '))}::tsquery`;
}

/** A document matches if a group contains every word, without typos. */
export function matchAllSql(
  index: SearchIndex,
  groups: readonly string[],
  { words, prefix }: QueryText,
  binds: Binds,
): string {
  const all = words.map((word, position) => ({ word, prefix: prefix && position === words.length - 1, typos: [] }));
  return matchesSql(index, groups, all, binds);
}

/**
 * Score of a hit, 0 to 1: the best score of its groups, each multiplied by the weight of the group. Within a group, the
 * number of words counts first, then the absence of typos, then the position of the first field that contains them:
 * Meilisearch's ranking rules `words`, `typo` and `attributeRank` in the same order.
 */
export function scoreSql(
  index: SearchIndex,
  groups: readonly string[],
  words: readonly QueryWord[],
  binds: Binds,
): string {
  const scores = groupNumbers(index, groups).map(({ name, number }) => {
    const weight = index.groups[name]?.weight ?? 0;
    const cases = words.map((_, gap) => {
      const count = words.length - gap;
      const held = words.slice(0, count);
      const quality = `(${exactSql(number, held, binds)} * 0.5 + ${rankSql(number, held, binds)} * 0.5)`;
      return `WHEN words @@ ${binds.add(tsquery(number, held))}::tsquery THEN (${count - 1} + ${quality}) / ${words.length}`;
    });
    return `(CASE ${cases.join(' ')} ELSE 0 END) * ${binds.add(weight)}::float8`;
  });
  return `GREATEST(${scores.join(', ')})`;
}

/** 1 if the words match without typos, otherwise 0. */
function exactSql(groupNumber: number, words: readonly QueryWord[], binds: Binds): string {
  if (words.every(({ typos }) => typos.length === 0)) return '1';
  const exact = words.map((word) => ({ ...word, typos: [] }));
  return `(words @@ ${binds.add(tsquery(groupNumber, exact))}::tsquery)::int`;
}

/** 1 if the first field contains all words, decreasing to 0.25 for the last rank. */
function rankSql(groupNumber: number, words: readonly QueryWord[], binds: Binds): string {
  const cases = fieldRanks.slice(0, -1).map((_, last) => {
    const ranks = fieldRanks.slice(0, last + 1).join('');
    return `WHEN words @@ ${binds.add(tsquery(groupNumber, words, ranks))}::tsquery THEN ${1 - last / fieldRanks.length}`;
  });
  return `(CASE ${cases.join(' ')} ELSE ${1 / fieldRanks.length} END)`;
}

/** Matches all words, each exactly or with typos, in fields of these ranks (empty: all ranks). */
function tsquery(groupNumber: number, words: readonly QueryWord[], ranks = ''): string {
  const one = ({ word, prefix, typos }: QueryWord) => {
    const label = `${prefix ? '*' : ''}${ranks}`;
    const typed = `${lexemeOf(groupNumber, word)}${label ? `:${label}` : ''}`;
    const others = typos.map((typo) => `${lexemeOf(groupNumber, typo)}${ranks ? `:${ranks}` : ''}`);
    return `(${[typed, ...others].join(' | ')})`;
  };
  return words.map(one).join(' & ');
}

function groupNumbers(index: SearchIndex, groups: readonly string[]): { name: string; number: number }[] {
  return Object.keys(index.groups)
    .map((name, number) => ({ name, number }))
    .filter(({ name }) => groups.includes(name));
}
