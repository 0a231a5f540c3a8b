import type { Database } from '../../database/database.js';
import { allowedTypos, isTypoOf } from '../typos.js';
import type { ParsedText } from '../words.js';
import type { AskedWord } from './relevance.js';

/** Words looked at and words taken, for each word of a query: the nearest ones. */
const maximumCandidates = 300;
const maximumTypos = 50;

/** Words a process remembers having added; beyond them it begins anew. */
const maximumRemembered = 200_000;

/** Adds the words of documents to those in which typos are looked up. Words stay: one that is in no document finds none. */
export function createVocabulary(db: Database): (words: ReadonlySet<string>) => Promise<void> {
  const known = new Set<string>();
  return async (words) => {
    const fresh = [...words].filter((word) => !known.has(word)).toSorted();
    if (fresh.length === 0) return;
    // In order, so that two writers never wait for each other in a circle.
    await db.change(
      'INSERT INTO search_words (word) SELECT json_array_elements_text($words::json) ON CONFLICT DO NOTHING',
      {
        words: JSON.stringify(fresh),
      },
    );
    if (known.size + fresh.length > maximumRemembered) known.clear();
    for (const word of fresh) known.add(word);
  };
}

/** The words of a query, each with the known words that could be meant by it. */
export async function withTypos(db: Database, { words, prefix }: ParsedText): Promise<AskedWord[]> {
  const asked = words.map((word, position) => ({ word, prefix: prefix && position === words.length - 1 }));
  const lenient = asked.filter(({ word }) => allowedTypos(word) > 0);
  const candidates = lenient.length === 0 ? [] : await similarWords(db, lenient);
  return asked.map(({ word, prefix: beginning }) => ({
    word,
    prefix: beginning,
    typos: candidates
      .filter(({ asked: of, word: known }) => of === word && known !== word && !(beginning && known.startsWith(word)))
      .map(({ word: known }) => known)
      .filter((known) => isTypoOf(word, known, allowedTypos(word), beginning))
      .slice(0, maximumTypos),
  }));
}

function similarWords(
  db: Database,
  asked: readonly { word: string; prefix: boolean }[],
): Promise<{ asked: string; word: string }[]> {
  return db.rows(
    `SELECT asked.word AS asked, known.word
     FROM json_to_recordset($asked::json) AS asked(word text, prefix boolean)
     CROSS JOIN LATERAL (
       SELECT * FROM search_similar_words(asked.word, $most::int) AS word WHERE NOT asked.prefix
       UNION ALL
       SELECT * FROM search_similar_beginnings(asked.word, $most::int) AS word WHERE asked.prefix
     ) AS known`,
    { asked: JSON.stringify(asked), most: maximumCandidates },
  );
}
