import type { Context } from '../platform/context.js';
import type { Transaction } from '../platform/database/database.js';
import { conditionColumnsOf, licensorPartOf, type Conditions } from './licenseConditions.js';

/** The license of an acquired box item, with the conditions at its acquisition. */
export interface BoxItemLicense extends Conditions {
  readonly licenseId: string;
  readonly marketplaceId: string;
  /** The seller's own box item; it may be deleted. */
  readonly offeredBoxItemId: string;
  readonly issuerId: string;
  readonly issuerCode: string;
  readonly acquiredAt: Date;
  readonly expiresAt: Date | null;
}

/** The licenses of these box items, by box item id. Uploaded items have none. */
export async function acquiredLicensesOf(
  ctx: Context,
  boxItemIds: readonly string[],
  tx?: Transaction,
): Promise<Map<string, BoxItemLicense>> {
  if (boxItemIds.length === 0) return new Map();
  const rows = await ctx.db.rows<BoxItemLicense & { readonly boxItemId: string }>(
    `SELECT license.box_item_id, license.id AS license_id, license.marketplace_id,
            license.offered_box_item_id, license.issuer_id,
            issuer.user_code AS issuer_code, ${conditionColumnsOf('license')},
            license.acquired_at, license.expires_at
       FROM acquired_licenses license JOIN users issuer ON issuer.id = license.issuer_id
      WHERE license.box_item_id = ANY ($boxItemIds::uuid[])`,
    { boxItemIds },
    tx,
  );
  return new Map(rows.map(({ boxItemId, ...license }) => [boxItemId, license]));
}

/**
 * Whether a box item was acquired with a license that pays its licensor for each view. Its owner plays only the
 * preview, because an unpaid view would earn the licensor nothing.
 */
export async function isPaidByView(ctx: Context, boxItemId: string): Promise<boolean> {
  const license = (await acquiredLicensesOf(ctx, [boxItemId])).get(boxItemId);
  return license !== undefined && licensorPartOf(license) !== undefined;
}

/** The box item of a user's unexpired license of this offer. `expiresAt` null: no end. */
export async function liveLicense(
  ctx: Context,
  acquirerId: string,
  marketplaceId: string,
): Promise<{ readonly boxItemId: string; readonly expiresAt: Date | null } | undefined> {
  const [held] = await ctx.db.rows<{ boxItemId: string; expiresAt: Date | null }>(
    `SELECT box_item_id, expires_at FROM acquired_licenses
      WHERE acquirer_id = $acquirerId AND marketplace_id = $marketplaceId AND (expires_at IS NULL OR expires_at > $now)`,
    { acquirerId, marketplaceId, now: ctx.clock.now() },
  );
  return held;
}

/** The box item id of an unexpired license, locked against deletion until the transaction ends. */
export async function lockLiveLicense(
  ctx: Context,
  tx: Transaction,
  acquirerId: string,
  marketplaceId: string,
): Promise<string | undefined> {
  const [held] = await ctx.db.rows<{ id: string }>(
    `SELECT box.id FROM box_items box JOIN acquired_licenses license ON license.box_item_id = box.id
      WHERE license.acquirer_id = $acquirerId AND license.marketplace_id = $marketplaceId::uuid
        AND (box.expires_at IS NULL OR box.expires_at > $now) FOR KEY SHARE OF box`,
    { acquirerId, marketplaceId, now: ctx.clock.now() },
    tx,
  );
  return held?.id;
}
