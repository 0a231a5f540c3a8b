import type { Migration } from './migration.js';

/**
 * The tables of the search engine, which the engine itself creates, get a digest of what each document was written from.
 * It is empty until the index is rebuilt, which happens when a process of this release first uses it.
 */
export const searchDigest: Migration = {
  name: '0017-search-digest',
  up: `
    DO $$
    DECLARE
      present regclass;
    BEGIN
      FOR present IN SELECT oid FROM pg_class WHERE relkind = 'r' AND relname LIKE 'search\\_documents\\_%' LOOP
        EXECUTE format('ALTER TABLE %s ADD COLUMN digest text NOT NULL DEFAULT ''''', present);
      END LOOP;
    END $$;
  `,
};
