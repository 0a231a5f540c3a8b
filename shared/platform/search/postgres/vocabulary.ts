import type { SqlDatabase, Transaction } from '../../database/sql.js';
import { storedKeys } from './typoKeys.js';

/** Words per statement: each has up to 27 keys. */
const wordsAtOnce = 1000;
/**
 * Maximum number of words per key: a query reads fewer. Only words chosen to be similar reach it. Processes count separately, so
 * two may exceed it slightly.
 */
const maxWordsOfKey = 500;
/** Maximum number of words, and of keys, that a process caches; beyond it the cache is cleared. */
const maxKnown = 200_000;

/** The words to which typos in queries are corrected: those of public documents. */
export interface Vocabulary {
  /** Adds the words of documents that `tx` writes. `pruneVocabulary` waits for the end of `tx`. */
  add(tx: Transaction, words: ReadonlySet<string>): Promise<void>;
}

/**
 * Caches which words are stored, and the number of words of each key, until a pruning removes words. With many similar words,
 * counting in the database for each new word would be most of the work.
 */
export function createVocabulary(db: SqlDatabase): Vocabulary {
  const stored = new Set<string>();
  const wordsOfKeys = new Map<string, number>();
  let knownSince: number | undefined;

  return {
    async add(tx, words) {
      if (words.size === 0) return;
      const prunings = await lockPrunings(db, tx);
      if (prunings !== knownSince || stored.size > maxKnown || wordsOfKeys.size > maxKnown) {
        stored.clear();
        wordsOfKeys.clear();
      }
      knownSince = prunings;
      const unknown = [...words].filter((word) => !stored.has(word)).toSorted();
      const counts = new Map<string, number>();
      for (let start = 0; start < unknown.length; start += wordsAtOnce)
        await insert(db, tx, unknown.slice(start, start + wordsAtOnce), wordsOfKeys, counts);
      tx.afterCommit(() => {
        if (prunings !== knownSince) return;
        for (const word of unknown) stored.add(word);
        for (const [key, count] of counts) wordsOfKeys.set(key, count);
      });
    },
  };
}

/** Returns the number of prunings so far, and prevents further ones until the end of the transaction. */
async function lockPrunings(db: SqlDatabase, tx: Transaction): Promise<number | undefined> {
  const [row] = await db.rows<{ fencingToken: number }>(
    "SELECT fencing_token FROM search_fences WHERE engine = 'vocabulary' FOR SHARE",
    {},
    tx,
  );
  return row?.fencingToken;
}

/**
 * `words` must be sorted, so that two writers cannot deadlock. `counts`: words per key as of this transaction; `known`: cached
 * counts from before it.
 */
async function insert(
  db: SqlDatabase,
  tx: Transaction,
  words: readonly string[],
  known: ReadonlyMap<string, number>,
  counts: Map<string, number>,
): Promise<void> {
  const added = await db.rows<{ word: string }>(
    'INSERT INTO search_words (word) SELECT json_array_elements_text($words::json) ON CONFLICT DO NOTHING RETURNING word',
    { words: JSON.stringify(words) },
    tx,
  );
  const rows = added.flatMap(({ word }) => keyRows(word));
  const uncounted = new Set(rows.map(({ key }) => key).filter((key) => !counts.has(key) && !known.has(key)));
  for (const { key, count } of await countWords(db, tx, uncounted)) counts.set(key, count);
  const newRows = rows.filter(({ key }) => {
    const count = counts.get(key) ?? known.get(key) ?? 0;
    if (count >= maxWordsOfKey) return false;
    counts.set(key, count + 1);
    return true;
  });
  if (newRows.length === 0) return;
  await db.change(
    `INSERT INTO search_typo_keys (key, length, word)
     SELECT key, length, word FROM json_to_recordset($keys::json) AS row(key text, length integer, word text)
     ON CONFLICT DO NOTHING`,
    { keys: JSON.stringify(newRows) },
    tx,
  );
}

/** Counts up to the maximum. */
function countWords(
  db: SqlDatabase,
  tx: Transaction,
  keys: ReadonlySet<string>,
): Promise<{ key: string; count: number }[]> {
  if (keys.size === 0) return Promise.resolve([]);
  return db.rows(
    `SELECT requested.key, counted.count FROM json_array_elements_text($keys::json) AS requested (key)
      CROSS JOIN LATERAL (
        SELECT count(*)::int AS count
          FROM (SELECT FROM search_typo_keys stored WHERE stored.key = requested.key COLLATE "C" LIMIT $maxWords::int) AS words
      ) AS counted`,
    { keys: JSON.stringify([...keys]), maxWords: maxWordsOfKey },
    tx,
  );
}

/** The rows of a word in `search_typo_keys`. */
export function keyRows(word: string): { key: string; length: number; word: string }[] {
  const { length } = [...word];
  return [...storedKeys(word)].map((key) => ({ key, length, word }));
}
