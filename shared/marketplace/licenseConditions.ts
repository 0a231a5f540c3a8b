import { divideSale, type LicensorShare } from '../ledger/divide.js';
import type { Context } from '../platform/context.js';
import type { Transaction } from '../platform/database/database.js';
import { missingMember, ValidationError } from '../platform/errors.js';
import { assertDuration, type DurationUnit } from '../platform/formats/period.js';

export const marketplaceLicenseTypes = [
  'FREE',
  'CREATIVE_COMMONS',
  'SPOT_PRICE',
  'PAY_PER_VIEW',
  'REVENUE_SHARING',
] as const;
export type MarketplaceLicenseType = (typeof marketplaceLicenseTypes)[number];

/**
 * The conditions of an offer, and of a license acquired from it: `docs/contract.md#marketplace`,
 * `docs/contract.md#choices-marketplace`. `licenseType` determines which members are not null.
 */
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

/** Undefined members stay unchanged if the license type uses them. */
export type ConditionsChange = { readonly [Name in keyof Conditions]?: Conditions[Name] | undefined };

/** The request member that a license type requires, and the condition in which it is stored. */
const requiredBy = {
  FREE: undefined,
  CREATIVE_COMMONS: ['ccType', 'ccType'],
  SPOT_PRICE: ['activationPrice', 'activationPriceCents'],
  PAY_PER_VIEW: ['pricePerView', 'pricePerViewCents'],
  REVENUE_SHARING: ['earningPercentage', 'earningBasisPoints'],
} as const;

/**
 * The conditions after a change. Throws ValidationError if a condition that the license type requires is missing, or
 * for a duration without a unit or of more than a hundred years.
 */
export function changedConditions(present: Conditions, change: ConditionsChange): Conditions {
  const next = { ...present, ...definedMembers(change) };
  const { licenseType, duration, durationUnit } = next;
  const required = requiredBy[licenseType];
  if (required && next[required[1]] === null) throw missingMember(required[0]);
  const expires = licenseType !== 'CREATIVE_COMMONS' && duration !== null;
  if (expires && durationUnit === null)
    throw new ValidationError([
      { field: 'duration', code: 'durationTogether', key: 'marketplace.durationTogether', rejectedValue: duration },
    ]);
  if (expires && durationUnit !== null) assertDuration(duration, durationUnit);
  const of = <Value>(name: string, value: Value) => (required?.[1] === name ? value : null);
  return {
    licenseType,
    ccType: of('ccType', next.ccType),
    activationPriceCents: of('activationPriceCents', next.activationPriceCents),
    pricePerViewCents: of('pricePerViewCents', next.pricePerViewCents),
    earningBasisPoints: of('earningBasisPoints', next.earningBasisPoints),
    duration: expires ? duration : null,
    durationUnit: expires ? durationUnit : null,
    download: next.download && licenseType !== 'PAY_PER_VIEW' && licenseType !== 'REVENUE_SHARING',
  };
}

function definedMembers(change: ConditionsChange): Partial<Conditions> {
  return Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined));
}

/** SQL: the columns of `Conditions`, read from the alias `table`. */
export function conditionColumnsOf(table: 'offer' | 'license'): string {
  return `${table}.license_type, ${table}.cc_type,
          ${table}.activation_price_cents, ${table}.price_per_view_cents,
          ${table}.earning_basis_points, ${table}.duration,
          ${table}.duration_unit, ${table}.download`;
}

/** Picks the conditions from a row. */
export function conditionsOf(row: Conditions): Conditions {
  const { licenseType, ccType, activationPriceCents, pricePerViewCents, earningBasisPoints } = row;
  const { duration, durationUnit, download } = row;
  return {
    licenseType,
    ccType,
    activationPriceCents,
    pricePerViewCents,
    earningBasisPoints,
    duration,
    durationUnit,
    download,
  };
}

/** The license types under which a box item can be published: `docs/contract.md#vod`. */
export type PublicationType = 'FREE' | 'CREATIVE_COMMONS' | 'PAY_PER_VIEW' | 'CONTENT_BUNDLE';

/**
 * Checks that a license permits this publication of its box item: undefined if it does, else the message key of the
 * reason. `docs/contract.md#choices-marketplace`: a licensor with a share of each view earns only from views that are
 * paid individually, so only these are permitted. A Creative Commons license is passed on unchanged. Expiry is not
 * checked: it is the box item's `expiresAt`.
 */
export function mayPublish(
  license: Pick<Conditions, 'licenseType' | 'ccType'>,
  publication: PublicationType,
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

/** The licensor's share of each paid view; undefined: none. */
export function licensorPartOf(
  license: Pick<Conditions, 'licenseType' | 'pricePerViewCents' | 'earningBasisPoints'> & { readonly issuerId: string },
): LicensorShare | undefined {
  const { licenseType, issuerId: userId, pricePerViewCents, earningBasisPoints } = license;
  if (licenseType === 'PAY_PER_VIEW') return { userId, cents: pricePerViewCents ?? 0 };
  if (licenseType === 'REVENUE_SHARING') return { userId, basisPoints: earningBasisPoints ?? 0 };
  return undefined;
}

/**
 * Whether a price minus the platform's share covers a licensor's fixed amount per view
 * (`docs/contract.md#choices-marketplace`). Both in cents.
 */
export function coversLicensor(ctx: Context, priceCents: number, licensorCents: number): boolean {
  const seller = 'seller';
  const earnings = divideSale(priceCents, ctx.config.payments.platformBasisPoints, seller);
  return (earnings.find(({ userId }) => userId === seller)?.cents ?? 0) >= licensorCents;
}

/** A publication of a box item. */
export interface PublishedTerms {
  readonly licenseType: PublicationType;
  readonly ccType: string | null;
  /** Price of a view; null: views are not sold. */
  readonly priceCents: number | null;
}

/**
 * Reads a box item's publications in the caller's transaction: `publishedTermsOf` of
 * `shared/vod/boxItemUses.queries.ts`.
 */
export type ReadPublishedTerms = (
  ctx: Context,
  tx: Transaction,
  boxItemId: string,
) => Promise<readonly PublishedTerms[]>;

/** Whether a license with these conditions permits all existing publications. */
export function permitsPublished(ctx: Context, conditions: Conditions, published: readonly PublishedTerms[]): boolean {
  return published.every(
    ({ licenseType, ccType, priceCents }) =>
      mayPublish(conditions, licenseType, ccType) === undefined &&
      coversLicensor(ctx, priceCents ?? 0, conditions.pricePerViewCents ?? 0),
  );
}
