import type { Database } from '../../database/database.js';
import { allowedTypos, isTypoOf } from '../typos.js';
import type { QueryText } from '../tokenizer.js';
import type { QueryWord } from './relevance.js';

/** For each word of a query: similar words that are compared, and words with typos that are searched for. */
const maximumCandidates = 300;
const maximumTypos = 50;

/** Limit of the words that a process knows to be stored; beyond it the set is cleared. */
const maximumKnown = 200_000;

/**
 * Adds the words of documents to the table in which typos are looked up. Words are never removed: one that is in no
 * document any more finds nothing.
 */
export function createVocabulary(db: Database): (words: ReadonlySet<string>) => Promise<void> {
  const known = new Set<string>();
  return async (words) => {
    const added = [...words].filter((word) => !known.has(word)).toSorted();
    if (added.length === 0) return;
    // In order, so that two writers cannot deadlock.
    await db.change(
      'INSERT INTO search_words (word) SELECT json_array_elements_text($words::json) ON CONFLICT DO NOTHING',
      {
        words: JSON.stringify(added),
      },
    );
    if (known.size + added.length > maximumKnown) known.clear();
    for (const word of added) known.add(word);
  };
}

/** The words of a query, each with the words of the vocabulary that differ from it by allowed typos. */
export async function withTypos(db: Database, { words, prefix }: QueryText): Promise<QueryWord[]> {
  const queryWords = words.map((word, position) => ({ word, prefix: prefix && position === words.length - 1 }));
  const withTypoAllowance = queryWords.filter(({ word }) => allowedTypos(word) > 0);
  const candidates = withTypoAllowance.length === 0 ? [] : await similarWords(db, withTypoAllowance);
  return queryWords.map(({ word, prefix: isPrefix }) => ({
    word,
    prefix: isPrefix,
    typos: candidates
      .filter(
        ({ queryWord, word: known }) => queryWord === word && known !== word && !(isPrefix && known.startsWith(word)),
      )
      .map(({ word: known }) => known)
      .filter((known) => isTypoOf(word, known, allowedTypos(word), isPrefix))
      .slice(0, maximumTypos),
  }));
}

function similarWords(
  db: Database,
  queryWords: readonly { word: string; prefix: boolean }[],
): Promise<{ queryWord: string; word: string }[]> {
  return db.rows(
    `SELECT query.word AS query_word, known.word
     FROM json_to_recordset($queryWords::json) AS query(word text, prefix boolean)
     CROSS JOIN LATERAL (
       SELECT * FROM search_similar_words(query.word, $most::int) AS word WHERE NOT query.prefix
       UNION ALL
       SELECT * FROM search_similar_beginnings(query.word, $most::int) AS word WHERE query.prefix
     ) AS known`,
    { queryWords: JSON.stringify(queryWords), most: maximumCandidates },
  );
}
