import { divideSale, type LicensorPart } from '../ledger/divide.js';
import type { Context } from '../platform/context.js';
import type { Transaction } from '../platform/database/database.js';
import type { DurationUnit } from '../platform/formats/period.js';

export const marketplaceLicenseTypes = [
  'FREE',
  'CREATIVE_COMMONS',
  'SPOT_PRICE',
  'PAY_PER_VIEW',
  'REVENUE_SHARING',
] as const;
export type MarketplaceLicenseType = (typeof marketplaceLicenseTypes)[number];

/** What an offer asks, and what an acquired license was given under: `docs/contract.md#marketplace`, `docs/contract.md#choices-marketplace`. */
export interface Conditions {
  readonly licenseType: MarketplaceLicenseType;
  readonly ccType: string | null;
  readonly activationPriceCents: number | null;
  readonly pricePerViewCents: number | null;
  readonly earningBasisPoints: number | null;
  readonly duration: number | null;
  readonly durationUnit: DurationUnit | null;
  readonly download: boolean;
}

/** The license that an acquired box item is held under; conditions as they were when it was acquired. */
export interface AcquiredLicense extends Conditions {
  readonly licenseId: string;
  readonly marketplaceId: string;
  /** The seller's own box item, which may be gone. */
  readonly offeredBoxItemId: string;
  readonly issuerId: string;
  readonly issuerCode: string;
  readonly acquiredAt: Date;
  readonly expiresAt: Date | null;
}

/** Conditions as PostgreSQL sends them: bigint as text. */
export interface ConditionColumns extends Omit<Conditions, 'activationPriceCents' | 'pricePerViewCents'> {
  readonly activationPriceCents: string | null;
  readonly pricePerViewCents: string | null;
}

/** What to select of a table that holds conditions, for `conditionsOf`. */
export function conditionColumns(table: 'offer' | 'license'): string {
  return `${table}.license_type, ${table}.cc_type,
          ${table}.activation_price_cents, ${table}.price_per_view_cents,
          ${table}.earning_basis_points, ${table}.duration,
          ${table}.duration_unit, ${table}.download`;
}

export function conditionsOf(row: ConditionColumns): Conditions {
  const { licenseType, ccType, earningBasisPoints, duration, durationUnit, download } = row;
  return {
    licenseType,
    ccType,
    activationPriceCents: cents(row.activationPriceCents),
    pricePerViewCents: cents(row.pricePerViewCents),
    earningBasisPoints,
    duration,
    durationUnit,
    download,
  };
}

const cents = (stored: string | null): number | null => (stored === null ? null : Number(stored));

interface LicenseRow extends Omit<AcquiredLicense, keyof Conditions>, ConditionColumns {
  readonly boxItemId: string;
}

/** Licenses of these box items; one that its owner has uploaded has none. */
export async function acquiredLicensesOf(
  ctx: Context,
  boxItemIds: readonly string[],
  tx?: Transaction,
): Promise<Map<string, AcquiredLicense>> {
  if (boxItemIds.length === 0) return new Map();
  const rows = await ctx.db.rows<LicenseRow>(
    `SELECT license.box_item_id, license.id AS license_id, license.marketplace_id,
            license.offered_box_item_id, license.issuer_id,
            issuer.user_code AS issuer_code, ${conditionColumns('license')},
            license.acquired_at, license.expires_at
       FROM acquired_licenses license JOIN users issuer ON issuer.id = license.issuer_id
      WHERE license.box_item_id = ANY ($boxItemIds::uuid[])`,
    { boxItemIds },
    tx,
  );
  return new Map(rows.map(({ boxItemId, ...row }) => [boxItemId, { ...row, ...conditionsOf(row) }]));
}

/** Under what a box item is published: license types of `docs/contract.md#vod`. */
export type Publication = 'FREE' | 'CREATIVE_COMMONS' | 'PAY_PER_VIEW' | 'CONTENT_BUNDLE';

/**
 * Whether what is held under a license may be published so; undefined where it may, else the key of a sentence that
 * says why not. `docs/contract.md#choices-marketplace`: who licenses for a part of each view earns by views that are paid for one by one,
 * and by nothing else. A Creative Commons license is passed on as it was given, or not at all. Whether the license has
 * expired is not asked here: `expiresAt` of the box item says it.
 */
export function mayPublish(
  license: Pick<Conditions, 'licenseType' | 'ccType'>,
  publication: Publication,
  ccType: string | null = null,
): string | undefined {
  switch (license.licenseType) {
    case 'REVENUE_SHARING':
    case 'PAY_PER_VIEW':
      if (publication === 'CONTENT_BUNDLE') return 'marketplace.notInBundle';
      return publication === 'PAY_PER_VIEW' ? undefined : 'marketplace.paidViewsOnly';
    case 'CREATIVE_COMMONS':
      if (publication === 'FREE') return undefined;
      if (publication === 'CREATIVE_COMMONS')
        return ccType === license.ccType ? undefined : 'marketplace.sameCreativeCommons';
      return license.ccType?.includes('_NC') ? 'marketplace.notForMoney' : undefined;
    case 'FREE':
    case 'SPOT_PRICE':
      return publication === 'CREATIVE_COMMONS' ? 'marketplace.notCreativeCommons' : undefined;
  }
}

/** What the licensor gets of each view that is paid for; undefined where nothing. */
export function licensorPartOf(
  license: Pick<AcquiredLicense, 'licenseType' | 'issuerId' | 'pricePerViewCents' | 'earningBasisPoints'>,
): LicensorPart | undefined {
  const { licenseType, issuerId: userId, pricePerViewCents, earningBasisPoints } = license;
  if (licenseType === 'PAY_PER_VIEW') return { userId, cents: pricePerViewCents ?? 0 };
  if (licenseType === 'REVENUE_SHARING') return { userId, basisPoints: earningBasisPoints ?? 0 };
  return undefined;
}

/** Whether what is left of a price after the platform's share holds a licensor's fixed sum (`docs/contract.md#choices-marketplace`). */
export function holdsSum(ctx: Context, priceCents: number, sumCents: number): boolean {
  const seller = 'seller';
  const earnings = divideSale(priceCents, ctx.config.payments.platformBasisPoints, seller);
  return (earnings.find(({ userId }) => userId === seller)?.cents ?? 0) >= sumCents;
}
