import type { Database, Transaction } from '../../database/database.js';
import { SearchFence } from '../search.model.js';
import { storedKeys } from './typoKeys.js';

/** Words of one statement: each has up to 27 keys. */
const wordsAtOnce = 1000;
/**
 * A key that this many words have gets no further ones: a query reads fewer. Only words that someone has written to be
 * similar are that many.
 */
const maximumWordsOfKey = 500;
/** Limit of the words that a process knows to be stored; beyond it the set is cleared. */
const maximumKnown = 200_000;

/** The words to which typos in queries are corrected: those of documents that everybody can find. */
export interface Vocabulary {
  /** Adds the words of documents that `tx` writes. `pruneVocabulary` waits for the end of `tx`. */
  add(tx: Transaction, words: ReadonlySet<string>): Promise<void>;
}

/** Remembers which words are stored, until a pruning removes words. */
export function createVocabulary(db: Database): Vocabulary {
  const known = new Set<string>();
  let knownSince: number | undefined;

  async function unknownOf(tx: Transaction, words: ReadonlySet<string>): Promise<string[]> {
    const prunings = await lockPrunings(db, tx);
    if (prunings !== knownSince || known.size > maximumKnown) known.clear();
    knownSince = prunings;
    const unknown = [...words].filter((word) => !known.has(word)).toSorted();
    tx.afterCommit(() => {
      if (prunings === knownSince) for (const word of unknown) known.add(word);
    });
    return unknown;
  }

  return {
    async add(tx, words) {
      if (words.size === 0) return;
      const unknown = await unknownOf(tx, words);
      for (let start = 0; start < unknown.length; start += wordsAtOnce)
        await insert(db, tx, unknown.slice(start, start + wordsAtOnce));
    },
  };
}

/** The number of prunings so far. Until the end of the transaction there is no other. */
async function lockPrunings(db: Database, tx: Transaction): Promise<number | undefined> {
  const row = await db.model(SearchFence).findByPk('vocabulary', { transaction: tx, lock: 'SHARE' });
  return row?.fencingToken;
}

/** `words` are sorted, so that two writers cannot deadlock. */
async function insert(db: Database, tx: Transaction, words: readonly string[]): Promise<void> {
  const added = await db.rows<{ word: string }>(
    'INSERT INTO search_words (word) SELECT json_array_elements_text($words::json) ON CONFLICT DO NOTHING RETURNING word',
    { words: JSON.stringify(words) },
    tx,
  );
  if (added.length === 0) return;
  await db.change(
    `WITH added AS MATERIALIZED (
       SELECT key COLLATE "C" AS key, length, word
       FROM json_to_recordset($keys::json) AS row(key text, length integer, word text)
     ),
     crowded AS (
       SELECT key FROM (SELECT DISTINCT key FROM added) AS keys
       WHERE (SELECT count(*) FROM (SELECT FROM search_typo_keys stored WHERE stored.key = keys.key LIMIT $most::int) AS others) = $most
     )
     INSERT INTO search_typo_keys (key, length, word)
     SELECT key, length, word FROM added WHERE key NOT IN (SELECT key FROM crowded)
     ON CONFLICT DO NOTHING`,
    { keys: JSON.stringify(added.flatMap(({ word }) => keyRows(word))), most: maximumWordsOfKey },
    tx,
  );
}

/** The rows of `search_typo_keys` of a word. */
export function keyRows(word: string): { key: string; length: number; word: string }[] {
  const { length } = [...word];
  return [...storedKeys(word)].map((key) => ({ key, length, word }));
}
