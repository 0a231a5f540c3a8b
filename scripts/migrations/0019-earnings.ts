import type { Migration } from './migration.js';

/**
 * An index contains everything that a user's totals need: the sum of a long account reads neither its rows nor, for the
 * currency, their transactions. The database itself writes the currency to each posting.
 */
export const earnings: Migration = {
  name: '0019-earnings',
  up: `
    ALTER TABLE ledger_postings ADD COLUMN currency text;
    ALTER TABLE ledger_postings DISABLE TRIGGER ledger_postings_unchanging;
    UPDATE ledger_postings posting SET currency = entry.currency
      FROM ledger_transactions entry WHERE entry.id = posting.transaction_id;
    ALTER TABLE ledger_postings ENABLE TRIGGER ledger_postings_unchanging;
    ALTER TABLE ledger_postings ALTER COLUMN currency SET NOT NULL;

    CREATE FUNCTION ledger_currency() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      NEW.currency := (SELECT currency FROM ledger_transactions WHERE id = NEW.transaction_id);
      RETURN NEW;
    END $$;
    CREATE TRIGGER ledger_postings_currency BEFORE INSERT ON ledger_postings
      FOR EACH ROW EXECUTE FUNCTION ledger_currency();

    DROP INDEX ledger_postings_user;
    CREATE INDEX ledger_postings_user ON ledger_postings (user_id, posted_at DESC, id DESC)
      INCLUDE (currency, item_kind, item_id, amount_cents) WHERE user_id IS NOT NULL;
  `,
};
