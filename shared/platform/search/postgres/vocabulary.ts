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
/** Limit of the words, and of the keys, that a process remembers; beyond it they are cleared. */
const maximumKnown = 200_000;

/** The words to which typos in queries are corrected: those of documents that everybody can find. */
export interface Vocabulary {
  /** Adds the words of documents that `tx` writes. `pruneVocabulary` waits for the end of `tx`. */
  add(tx: Transaction, words: ReadonlySet<string>): Promise<void>;
}

/**
 * Remembers which words are stored, and which keys are full, until a pruning removes words. To find that a key is full reads all
 * its words: done for each key of each word, that would be most of the work where many words are similar.
 */
export function createVocabulary(db: Database): Vocabulary {
  const stored = new Set<string>();
  const full = new Set<string>();
  let knownSince: number | undefined;

  return {
    async add(tx, words) {
      if (words.size === 0) return;
      const prunings = await lockPrunings(db, tx);
      if (prunings !== knownSince || stored.size > maximumKnown || full.size > maximumKnown) {
        stored.clear();
        full.clear();
      }
      knownSince = prunings;
      const unknown = [...words].filter((word) => !stored.has(word)).toSorted();
      const foundFull: string[] = [];
      for (let start = 0; start < unknown.length; start += wordsAtOnce)
        foundFull.push(...(await insert(db, tx, unknown.slice(start, start + wordsAtOnce), full)));
      tx.afterCommit(() => {
        if (prunings !== knownSince) return;
        for (const word of unknown) stored.add(word);
        for (const key of foundFull) full.add(key);
      });
    },
  };
}

/** The number of prunings so far. Until the end of the transaction there is no other. */
async function lockPrunings(db: Database, tx: Transaction): Promise<number | undefined> {
  const row = await db.model(SearchFence).findByPk('vocabulary', { transaction: tx, lock: 'SHARE' });
  return row?.fencingToken;
}

/** `words` are sorted, so that two writers cannot deadlock. Resolves with the keys, beside those of `full`, that are full. */
async function insert(
  db: Database,
  tx: Transaction,
  words: readonly string[],
  full: ReadonlySet<string>,
): Promise<string[]> {
  const added = await db.rows<{ word: string }>(
    'INSERT INTO search_words (word) SELECT json_array_elements_text($words::json) ON CONFLICT DO NOTHING RETURNING word',
    { words: JSON.stringify(words) },
    tx,
  );
  const keys = added.flatMap(({ word }) => keyRows(word)).filter(({ key }) => !full.has(key));
  if (keys.length === 0) return [];
  const rows = await db.rows<{ key: string }>(
    `WITH added AS MATERIALIZED (
       SELECT key COLLATE "C" AS key, length, word
       FROM json_to_recordset($keys::json) AS row(key text, length integer, word text)
     ),
     full_keys AS MATERIALIZED (
       SELECT key FROM (SELECT DISTINCT key FROM added) AS keys
       WHERE (SELECT count(*) FROM (SELECT FROM search_typo_keys stored WHERE stored.key = keys.key LIMIT $most::int) AS others) = $most
     ),
     inserted AS (
       INSERT INTO search_typo_keys (key, length, word)
       SELECT key, length, word FROM added WHERE key NOT IN (SELECT key FROM full_keys)
       ON CONFLICT DO NOTHING
     )
     SELECT key FROM full_keys`,
    { keys: JSON.stringify(keys), most: maximumWordsOfKey },
    tx,
  );
  return rows.map(({ key }) => key);
}

/** The rows of `search_typo_keys` of a word. */
export function keyRows(word: string): { key: string; length: number; word: string }[] {
  const { length } = [...word];
  return [...storedKeys(word)].map((key) => ({ key, length, word }));
}
