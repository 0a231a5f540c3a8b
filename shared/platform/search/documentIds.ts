import type { SqlDatabase, Transaction } from '../database/sql.js';

/** The part of the context that these functions use. */
interface WithDatabase {
  readonly db: SqlDatabase;
}

/** For `madeFrom`: the document ids that a statement selects for the entity ids in its bind `$ids`. */
export function idsBy(sql: string) {
  return async ({ db }: WithDatabase, tx: Transaction, ids: readonly string[]): Promise<string[]> => {
    const rows = await db.rows<{ id: string }>(sql, { ids }, tx);
    return rows.map(({ id }) => id);
  };
}

/** For `ids` of an index with one document for each row of a table, or for each row that meets a condition. */
export function idsOfRows(table: string, condition = 'true') {
  const sql = `SELECT id FROM ${table} WHERE ${condition} AND ($afterId::uuid IS NULL OR id > $afterId::uuid)
    ORDER BY id LIMIT $limit::int`;
  return async ({ db }: WithDatabase, afterId: string | null, limit: number): Promise<string[]> => {
    const rows = await db.rows<{ id: string }>(sql, { afterId, limit });
    return rows.map(({ id }) => id);
  };
}
