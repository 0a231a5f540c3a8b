import type { Database } from './database.js';
import { isTableMissing } from './databaseErrors.js';

/** The migration that this code needs. A test compares it with the last file of `scripts/migrations`. */
export const schemaHead = '1044-upload-kinds';

/** Whether the database is migrated. True also if a newer release has migrated it further, because migrations only add. */
export async function isMigrated(db: Database): Promise<boolean> {
  try {
    const rows = await db.rows('SELECT 1 FROM migrations WHERE name = $schemaHead', { schemaHead });
    return rows.length === 1;
  } catch (error) {
    if (isTableMissing(error)) return false;
    throw error;
  }
}
