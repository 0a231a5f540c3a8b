import type { SqlDatabase, StatementBounds } from '../../database/sql.js';
import { allowedTypos, isTypoOf } from '../typos.js';
import type { QueryText } from '../tokenizer.js';
import { maxWord } from './documentRow.js';
import type { QueryWord } from './relevance.js';
import { queryKeys } from './typoKeys.js';

/** The number of words per query in which typos are tolerated. */
const wordsWithTypos = 5;
/** Limits for all words of a query together: vocabulary entries read, and similar words searched for. */
const maxCandidates = 1000;
const maxTypos = 50;

interface Lookup {
  readonly word: string;
  readonly key: string;
  readonly shortest: number;
  readonly longest: number;
}

/**
 * The words of a query, each with the vocabulary words that differ from it by permitted typos, the most similar ones first. The
 * work is bounded: if too many words are similar, some are not found.
 */
export async function withTypos(
  db: SqlDatabase,
  { words, prefix }: QueryText,
  bounds: StatementBounds,
): Promise<QueryWord[]> {
  const queryWords = words.map((word, position) => ({ word, prefix: prefix && position === words.length - 1 }));
  const lookups = queryWords
    .filter(({ word }) => allowedTypos(word) > 0)
    .slice(0, wordsWithTypos)
    .flatMap(lookupsOf);
  const candidates = lookups.length === 0 ? new Map<string, string[]>() : await readCandidates(db, lookups, bounds);
  const perWord = Math.floor(maxTypos / Math.max(1, candidates.size));
  return queryWords.map((queryWord) => ({
    ...queryWord,
    typos: similarTo(queryWord, candidates.get(queryWord.word) ?? []).slice(0, perWord),
  }));
}

function lookupsOf({ word, prefix }: Omit<QueryWord, 'typos'>): Lookup[] {
  const typos = allowedTypos(word);
  if (typos === 0) return [];
  const { length } = [...word];
  const lengths = { shortest: length - typos, longest: prefix ? maxWord : length + typos };
  return [...queryKeys(word, typos)].map((key) => ({ word, key, ...lengths }));
}

function similarTo({ word, prefix }: Omit<QueryWord, 'typos'>, candidates: readonly string[]): string[] {
  const within = (typos: number) => (candidate: string) => isTypoOf(word, candidate, typos, prefix);
  const similar = candidates
    .filter((candidate) => candidate !== word && !(prefix && candidate.startsWith(word)))
    .filter(within(allowedTypos(word)));
  const isNear = within(1);
  return [...similar.filter(isNear), ...similar.filter((candidate) => !isNear(candidate))];
}

/** Words that share a key with a query word, by query word. */
async function readCandidates(
  db: SqlDatabase,
  lookups: readonly Lookup[],
  bounds: StatementBounds,
): Promise<Map<string, string[]>> {
  const rows = await db.rows<{ queryWord: string; word: string }>(
    `SELECT DISTINCT lookup.word AS query_word, known.word
     FROM json_to_recordset($lookups::json) AS lookup(word text, key text, shortest integer, longest integer)
     CROSS JOIN LATERAL (
       SELECT word FROM search_typo_keys
       WHERE key = lookup.key COLLATE "C" AND length BETWEEN lookup.shortest AND lookup.longest
       LIMIT $maxWords::int
     ) AS known`,
    { lookups: JSON.stringify(lookups), maxWords: Math.ceil(maxCandidates / lookups.length) },
    undefined,
    bounds,
  );
  const candidates = new Map<string, string[]>();
  for (const { queryWord, word } of rows) {
    const found = candidates.get(queryWord);
    if (found) found.push(word);
    else candidates.set(queryWord, [word]);
  }
  return candidates;
}
