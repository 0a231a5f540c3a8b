import { lease } from '../../lease/index.js';
import type { SqlDatabase, Transaction } from '../../database/sql.js';
import { acquireFence } from '../dirtyMarks.js';
import type { SearchIndex } from '../search.js';
import { lexemeOf } from './documentRow.js';
import { tableOf } from './tables.js';
import { keyRows } from './vocabulary.js';

/** Words per transaction; documents with words cannot be written during it. */
const wordsAtOnce = 500;

/**
 * Removes words that no public document of these indexes contains any more. Resolves with the number removed. The row
 * `vocabulary` of `search_fences` is a lock between document writers and prunings: no word of a document being written is
 * removed.
 */
export async function pruneVocabulary(
  db: SqlDatabase,
  indexes: readonly SearchIndex[],
  signal?: AbortSignal,
): Promise<number> {
  let pruned = 0;
  let after = '';
  for (;;) {
    signal?.throwIfAborted();
    const words = await wordsAfter(db, after);
    const last = words.at(-1);
    if (last === undefined) return pruned;
    after = last;
    // First without a lock, because most words are in use.
    const unused = await unusedOf(db, indexes, words);
    if (unused.length > 0) pruned += await db.transaction((tx) => removeUnused(db, tx, indexes, unused));
  }
}

async function wordsAfter(db: SqlDatabase, after: string): Promise<string[]> {
  const rows = await db.rows<{ word: string }>(
    'SELECT word FROM search_words WHERE word > $after::text ORDER BY word LIMIT $wordsAtOnce::int',
    { after, wordsAtOnce },
  );
  return rows.map(({ word }) => word);
}

async function removeUnused(
  db: SqlDatabase,
  tx: Transaction,
  indexes: readonly SearchIndex[],
  words: readonly string[],
): Promise<number> {
  await acquireFence(db, 'vocabulary', tx);
  if (await isRebuilding(db, tx)) return 0;
  const unused = await unusedOf(db, indexes, words, tx);
  await db.change('DELETE FROM search_words WHERE word = ANY ($unused::text[])', { unused }, tx);
  await db.change(
    `DELETE FROM search_typo_keys USING json_to_recordset($keys::json) AS row(key text, length integer, word text)
     WHERE search_typo_keys.key = row.key COLLATE "C" AND search_typo_keys.length = row.length
       AND search_typo_keys.word = row.word COLLATE "C"`,
    { keys: JSON.stringify(unused.flatMap(keyRows)) },
    tx,
  );
  return unused.length;
}

/** The documents of a rebuild are in a table that `unusedOf` does not read. */
async function isRebuilding(db: SqlDatabase, tx: Transaction): Promise<boolean> {
  const rows = await db.rows(
    `SELECT 1 FROM search_builds WHERE engine = 'postgres' AND ${lease.running} LIMIT 1`,
    {},
    tx,
  );
  return rows.length > 0;
}

async function unusedOf(
  db: SqlDatabase,
  indexes: readonly SearchIndex[],
  words: readonly string[],
  tx?: Transaction,
): Promise<string[]> {
  const groupCount = Math.max(0, ...indexes.map(({ groups }) => Object.keys(groups).length));
  const queryOf = (word: string) => Array.from({ length: groupCount }, (_, group) => lexemeOf(group, word)).join(' | ');
  const isUnused = indexes.map((index) => {
    const { publicDocuments } = index;
    if (publicDocuments === 'none') return 'true';
    const isPublic =
      publicDocuments === 'all' ? 'true' : `filters @> '${JSON.stringify({ [publicDocuments.where]: [true] })}'::jsonb`;
    return `NOT EXISTS (SELECT FROM ${tableOf(index.name)} WHERE words @@ candidate.query::tsquery AND ${isPublic})`;
  });
  const rows = await db.rows<{ word: string }>(
    `SELECT word FROM json_to_recordset($words::json) AS candidate(word text, query text)
     WHERE ${['true', ...isUnused].join(' AND ')}`,
    { words: JSON.stringify(words.map((word) => ({ word, query: queryOf(word) }))) },
    tx,
  );
  return rows.map(({ word }) => word);
}
