import { acquiredLicensesOf, holdsSum, licensorPartOf, mayPublish } from '../marketplace/conditions.js';
import type { Context } from '../platform/context.js';
import type { Transaction } from '../platform/database/database.js';
import { ValidationError, type FieldError } from '../platform/errors.js';
import { formatPercent, formatPrice } from '../platform/formats/format.js';
import type { CcType, VodLicenseType } from './vod.model.js';

/** Under which license an item is published. Each of the last three belongs to one license type, and is null elsewhere. */
export interface VodConditions {
  readonly licenseType: VodLicenseType;
  /** With CREATIVE_COMMONS. */
  readonly ccType: CcType | null;
  /** With PAY_PER_VIEW. */
  readonly pricePerViewCents: number | null;
  /** With CONTENT_BUNDLE. */
  readonly bundleId: string | null;
}

/** Whether somebody pays for seeing it: who publishes so deals in money (`docs/contract.md#choices-users`). */
export function isForMoney({ licenseType }: VodConditions): boolean {
  return licenseType === 'PAY_PER_VIEW' || licenseType === 'CONTENT_BUNDLE';
}

/**
 * What was acquired is published only as its license permits, and at a price that pays the licensor. Throws
 * ValidationError.
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
  if (forbidden !== undefined) throw new ValidationError([refusalOf('licenseType', forbidden, licenseType)]);
  const part = licensorPartOf(license);
  if (part && 'cents' in part) assertPriceCovers(ctx, pricePerViewCents ?? 0, part.cents);
}

/** What is left of a price after the platform's share must hold the licensor's fixed sum (`docs/contract.md#choices-marketplace`). */
function assertPriceCovers(ctx: Context, priceCents: number, fixedCents: number): void {
  if (holdsSum(ctx, priceCents, fixedCents)) return;
  throw new ValidationError([
    refusalOf('pricePerView', 'vod.priceBelowLicense', formatPrice(priceCents), {
      sum: formatPrice(fixedCents),
      percent: formatPercent(ctx.config.payments.platformBasisPoints / 100),
    }),
  ]);
}

function refusalOf(
  field: string,
  key: string,
  rejectedValue: string,
  values: Readonly<Record<string, string>> = {},
): FieldError {
  return { field, code: key.slice(key.lastIndexOf('.') + 1), key, values, rejectedValue };
}
