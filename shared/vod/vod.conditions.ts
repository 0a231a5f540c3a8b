import { acquiredLicensesOf } from '../marketplace/acquiredLicense.queries.js';
import { coversLicensor, licensorPartOf, mayPublish } from '../marketplace/licenseConditions.js';
import type { Context } from '../platform/context.js';
import type { Transaction } from '../platform/database/database.js';
import { missingMember, ValidationError, type FieldError } from '../platform/errors.js';
import { formatPercent, formatPrice } from '../platform/formats/format.js';
import type { CcType, VodLicenseType } from './vod.model.js';

/** The license under which an item is published. `docs/contract.md#vod` */
export interface VodConditions {
  readonly licenseType: VodLicenseType;
  /** With CREATIVE_COMMONS, otherwise null. */
  readonly ccType: CcType | null;
  /** With PAY_PER_VIEW, otherwise null. */
  readonly pricePerViewCents: number | null;
}

/** Whether viewers pay for the item. The publisher must then have entered the seller's data (`docs/contract.md#choices-users`). */
export function isForMoney({ licenseType }: Pick<VodConditions, 'licenseType'>): boolean {
  return licenseType === 'PAY_PER_VIEW' || licenseType === 'CONTENT_BUNDLE';
}

/**
 * The conditions after a change: those of the request if it contains a license type, otherwise the stored ones. Throws
 * ValidationError if a condition that the license type requires is missing.
 */
export function conditionsAfter(
  present: VodConditions,
  change: { readonly [Name in keyof VodConditions]?: VodConditions[Name] | undefined },
): VodConditions {
  const { licenseType = present.licenseType } = change;
  const stored = change.licenseType === undefined ? present : undefined;
  const ccType = licenseType === 'CREATIVE_COMMONS' ? (change.ccType ?? stored?.ccType ?? null) : null;
  const price = licenseType === 'PAY_PER_VIEW' ? (change.pricePerViewCents ?? stored?.pricePerViewCents ?? null) : null;
  if (licenseType === 'CREATIVE_COMMONS' && ccType === null) throw missingMember('ccType');
  if (licenseType === 'PAY_PER_VIEW' && price === null) throw missingMember('pricePerView');
  return { licenseType, ccType, pricePerViewCents: price };
}

/**
 * Checks the conditions against the license of an acquired box item: its type, and a price that covers the licensor's share
 * (`docs/contract.md#choices-marketplace`). Throws ValidationError.
 */
export async function assertLicensePermits(
  ctx: Context,
  tx: Transaction,
  boxItemId: string,
  conditions: VodConditions,
): Promise<void> {
  const { licenseType, ccType, pricePerViewCents } = conditions;
  const license = (await acquiredLicensesOf(ctx, [boxItemId], tx)).get(boxItemId);
  if (!license) return;
  const forbidden = mayPublish(license, licenseType, ccType);
  if (forbidden !== undefined) throw new ValidationError([errorOf('licenseType', forbidden, licenseType)]);
  const part = licensorPartOf(license);
  if (part && 'cents' in part) assertPriceCovers(ctx, pricePerViewCents ?? 0, part.cents);
}

/** The price minus the platform's share must be at least the licensor's fixed amount. */
function assertPriceCovers(ctx: Context, priceCents: number, fixedCents: number): void {
  if (coversLicensor(ctx, priceCents, fixedCents)) return;
  throw new ValidationError([
    errorOf('pricePerView', 'vod.priceBelowLicense', formatPrice(priceCents), {
      sum: formatPrice(fixedCents),
      percent: formatPercent(ctx.config.payments.platformBasisPoints / 100),
    }),
  ]);
}

function errorOf(
  field: string,
  key: string,
  rejectedValue: string,
  values: Readonly<Record<string, string>> = {},
): FieldError {
  return { field, code: key.slice(key.lastIndexOf('.') + 1), key, values, rejectedValue };
}
