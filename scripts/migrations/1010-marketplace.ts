import type { Migration } from './migration.js';

/**
 * Offers, and the licenses acquired from them with the conditions of that moment: `docs/contract.md#marketplace`. A license
 * refers to no row of the seller except the user: the license stays valid if the offer changes or is removed. A user has
 * one license of an offer; its row decides between concurrent acquisitions, and is written before its box item.
 */
export const marketplace: Migration = {
  name: '1010-marketplace',
  up: `
    CREATE TABLE acquired_licenses (
      id uuid PRIMARY KEY,
      box_item_id uuid NOT NULL REFERENCES box_items (id) ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED UNIQUE,
      acquirer_id uuid NOT NULL REFERENCES users (id),
      issuer_id uuid NOT NULL REFERENCES users (id),
      marketplace_id uuid NOT NULL,
      offered_box_item_id uuid NOT NULL,
      license_type text NOT NULL CHECK (license_type IN ('FREE', 'CREATIVE_COMMONS', 'SPOT_PRICE', 'PAY_PER_VIEW', 'REVENUE_SHARING')),
      cc_type text,
      activation_price_cents bigint CHECK (activation_price_cents > 0),
      price_per_view_cents bigint CHECK (price_per_view_cents > 0),
      earning_basis_points integer CHECK ((earning_basis_points >= 0) AND (earning_basis_points <= 10000)),
      duration integer CHECK (duration > 0),
      duration_unit text CHECK (duration_unit IN ('DAYS', 'MONTHS', 'YEARS')),
      download boolean NOT NULL DEFAULT false,
      acquired_at timestamptz NOT NULL,
      expires_at timestamptz,
      UNIQUE (acquirer_id, marketplace_id)
    );
    CREATE INDEX acquired_licenses_issuer ON acquired_licenses (issuer_id);

    CREATE TABLE marketplace_items (
      id uuid PRIMARY KEY,
      owner_id uuid NOT NULL REFERENCES users (id),
      box_item_id uuid NOT NULL REFERENCES box_items (id),
      license_type text NOT NULL CHECK (license_type IN ('FREE', 'CREATIVE_COMMONS', 'SPOT_PRICE', 'PAY_PER_VIEW', 'REVENUE_SHARING')),
      cc_type text,
      activation_price_cents bigint CHECK (activation_price_cents > 0),
      price_per_view_cents bigint CHECK (price_per_view_cents > 0),
      earning_basis_points integer CHECK ((earning_basis_points >= 0) AND (earning_basis_points <= 10000)),
      duration integer CHECK (duration > 0),
      duration_unit text CHECK (duration_unit IN ('DAYS', 'MONTHS', 'YEARS')),
      download boolean NOT NULL DEFAULT false,
      published_at timestamptz NOT NULL,
      updated_at timestamptz NOT NULL
    );
    CREATE INDEX marketplace_items_box_item ON marketplace_items (box_item_id);
    CREATE INDEX marketplace_items_owner ON marketplace_items (owner_id, published_at DESC);
  `,
};
