import type { SqlDatabase, Transaction } from '../../database/sql.js';
import { storedKeys } from './typoKeys.js';

/** Words of one statement: each has up to 27 keys. */
const wordsAtOnce = 1000;
/**
 * A key that this many words have gets no further ones: a query reads fewer. Only words that someone has written to be
 * similar are that many. Each process counts by itself, so two may add a few more.
 */
const maxWordsOfKey = 500;
/** Limit of the words, and of the keys, that a process remembers; beyond it they are cleared. */
const maxKnown = 200_000;

/** The words to which typos in queries are corrected: those of documents that everybody can find. */
export interface Vocabulary {
  /** Adds the words of documents that `tx` writes. `pruneVocabulary` waits for the end of `tx`. */
  add(tx: Transaction, words: ReadonlySet<string>): Promise<void>;
}

/**
 * Remembers which words are stored, and how many each key has, until a pruning removes words. To count the words of each key of each
 * new word in the database would be most of the work where many are similar.
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

/** The number of prunings so far. Until the end of the transaction there is no other. */
async function lockPrunings(db: SqlDatabase, tx: Transaction): Promise<number | undefined> {
  const [row] = await db.rows<{ fencingToken: number }>(
    "SELECT fencing_token FROM search_fences WHERE engine = 'vocabulary' FOR SHARE",
    {},
    tx,
  );
  return row?.fencingToken;
}

/**
 * `words` are sorted, so that two writers cannot deadlock. `counts` are the words of the keys as they are in this transaction, `known`
 * those before it, of some keys.
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
  const kept = rows.filter(({ key }) => {
    const count = counts.get(key) ?? known.get(key) ?? 0;
    if (count >= maxWordsOfKey) return false;
    counts.set(key, count + 1);
    return true;
  });
  if (kept.length === 0) return;
  await db.change(
    `INSERT INTO search_typo_keys (key, length, word)
     SELECT key, length, word FROM json_to_recordset($keys::json) AS row(key text, length integer, word text)
     ON CONFLICT DO NOTHING`,
    { keys: JSON.stringify(kept) },
    tx,
  );
}

/** Up to the maximum. */
function countWords(
  db: SqlDatabase,
  tx: Transaction,
  keys: ReadonlySet<string>,
): Promise<{ key: string; count: number }[]> {
  if (keys.size === 0) return Promise.resolve([]);
  return db.rows(
    `SELECT wanted.key, counted.count FROM json_array_elements_text($keys::json) AS wanted (key)
      CROSS JOIN LATERAL (
        SELECT count(*)::int AS count
          FROM (SELECT FROM search_typo_keys stored WHERE stored.key = wanted.key COLLATE "C" LIMIT $most::int) AS words
      ) AS counted`,
    { keys: JSON.stringify([...keys]), most: maxWordsOfKey },
    tx,
  );
}

/** The rows of `search_typo_keys` of a word. */
export function keyRows(word: string): { key: string; length: number; word: string }[] {
  const { length } = [...word];
  return [...storedKeys(word)].map((key) => ({ key, length, word }));
}
