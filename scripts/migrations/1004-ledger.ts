import type { Migration } from './migration.js';

/**
 * Double entry in cents (principle 7 of docs/architecture.md). Postings are never changed: errors are corrected by reversals.
 * The database rejects a transaction whose postings do not add up to zero. An index contains everything that a user's totals need:
 * the sum of a long account reads neither its rows nor, for the currency, their transactions.
 */
export const ledger: Migration = {
  name: '1004-ledger',
  up: `
    CREATE TABLE ledger_transactions (
      id uuid PRIMARY KEY,
      kind text NOT NULL CHECK (kind IN ('SALE', 'UNMATCHED', 'REVERSAL')),
      tracking_id uuid UNIQUE,
      reverses uuid REFERENCES ledger_transactions (id) UNIQUE,
      currency text NOT NULL,
      posted_at timestamptz NOT NULL,
      CHECK ((kind = 'REVERSAL') = (reverses IS NOT NULL)),
      CHECK ((kind = 'REVERSAL') = (tracking_id IS NULL))
    );

    CREATE TABLE ledger_postings (
      id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      transaction_id uuid NOT NULL REFERENCES ledger_transactions (id),
      account text NOT NULL CHECK (account IN ('CLEARING', 'PLATFORM', 'PAYABLE', 'SUSPENSE')),
      user_id uuid REFERENCES users (id),
      item_kind text,
      item_id text,
      title text,
      amount_cents bigint NOT NULL CHECK (amount_cents <> 0),
      posted_at timestamptz NOT NULL,
      currency text NOT NULL,
      CHECK ((account = 'PAYABLE') = (user_id IS NOT NULL))
    );
    CREATE INDEX ledger_postings_transaction ON ledger_postings (transaction_id);
    CREATE INDEX ledger_postings_user ON ledger_postings (user_id, posted_at DESC, id DESC) INCLUDE (currency, item_kind, item_id, amount_cents)
      WHERE user_id IS NOT NULL;

    CREATE FUNCTION ledger_balanced() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      IF (SELECT sum(amount_cents) FROM ledger_postings WHERE transaction_id = NEW.transaction_id) <> 0 THEN
        RAISE EXCEPTION 'ledger transaction % does not balance', NEW.transaction_id;
      END IF;
      RETURN NULL;
    END $$;
    CREATE CONSTRAINT TRIGGER ledger_postings_balance AFTER INSERT ON ledger_postings
      DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION ledger_balanced();

    CREATE FUNCTION ledger_currency() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      NEW.currency := (SELECT currency FROM ledger_transactions WHERE id = NEW.transaction_id);
      RETURN NEW;
    END $$;
    CREATE TRIGGER ledger_postings_currency BEFORE INSERT ON ledger_postings
      FOR EACH ROW EXECUTE FUNCTION ledger_currency();

    CREATE FUNCTION ledger_unchanging() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      RAISE EXCEPTION 'postings are never changed: reverse them';
    END $$;
    CREATE TRIGGER ledger_postings_unchanging BEFORE UPDATE OR DELETE ON ledger_postings
      FOR EACH ROW EXECUTE FUNCTION ledger_unchanging();
    CREATE TRIGGER ledger_transactions_unchanging BEFORE UPDATE OR DELETE ON ledger_transactions
      FOR EACH ROW EXECUTE FUNCTION ledger_unchanging();
  `,
};
