import type { Earning } from '../platform/payments.js';

/** A licensor's part of what a viewer pays: so much of what is left after the platform's part, or a fixed sum. */
export type LicensorPart =
  | { readonly userId: string; readonly basisPoints: number }
  | { readonly userId: string; readonly cents: number };

/** Hundredths of a percent in a whole. */
const whole = 10_000;

/**
 * Divides a sale: the platform takes its share, the licensor (where the thing sold was licensed from somebody) their
 * part of the rest, the seller what remains. Parts are whole cents by largest remainder and add up to the amount; a
 * fixed sum is never more than the rest. Parts of nothing are left out.
 */
export function divideSale(
  amountCents: number,
  platformBasisPoints: number,
  sellerId: string,
  licensor?: LicensorPart,
): Earning[] {
  assertWithin('the amount', amountCents, Number.MAX_SAFE_INTEGER);
  assertWithin('the share of the platform', platformBasisPoints, whole);
  const platform = { userId: null, cents: 0 };
  const seller = { userId: sellerId, cents: 0 };
  const rest = whole - platformBasisPoints;
  if (licensor === undefined || 'cents' in licensor) {
    const [forSeller = 0, forPlatform = 0] = byLargestRemainder(amountCents, [rest, platformBasisPoints]);
    const fixed = licensor === undefined ? 0 : Math.min(licensor.cents, forSeller);
    assertWithin('the sum of the licensor', fixed, forSeller);
    return withoutNothing([
      { ...platform, cents: forPlatform },
      ...(licensor === undefined ? [] : [{ userId: licensor.userId, cents: fixed }]),
      { ...seller, cents: forSeller - fixed },
    ]);
  }
  assertWithin('the part of the licensor', licensor.basisPoints, whole);
  const [forSeller = 0, forLicensor = 0, forPlatform = 0] = byLargestRemainder(amountCents, [
    rest * (whole - licensor.basisPoints),
    rest * licensor.basisPoints,
    platformBasisPoints * whole,
  ]);
  return withoutNothing([
    { ...platform, cents: forPlatform },
    { userId: licensor.userId, cents: forLicensor },
    { ...seller, cents: forSeller },
  ]);
}

/**
 * Whole parts of an amount in proportion to whole weights: each gets its share rounded down, and the cents left over go
 * one each to those who lost most by rounding; of equal losses the first in the list comes first.
 */
export function byLargestRemainder(amount: number, weights: readonly number[]): number[] {
  const total = weights.reduce((sum, weight) => sum + BigInt(weight), 0n);
  if (total <= 0n) throw new Error('nobody to divide among');
  const shares = weights.map((weight, position) => {
    const exact = BigInt(amount) * BigInt(weight);
    return { position, cents: Number(exact / total), lost: exact % total };
  });
  const leftOver = amount - shares.reduce((sum, { cents }) => sum + cents, 0);
  const luckiest = shares.toSorted((left, right) => Number(right.lost > left.lost) - Number(right.lost < left.lost));
  const lucky = new Set(luckiest.slice(0, leftOver).map(({ position }) => position));
  return shares.map(({ position, cents }) => (lucky.has(position) ? cents + 1 : cents));
}

function withoutNothing(earnings: readonly Earning[]): Earning[] {
  return earnings.filter(({ cents }) => cents > 0);
}

function assertWithin(what: string, value: number, most: number): void {
  if (!Number.isSafeInteger(value) || value < 0 || value > most) throw new Error(`${what} cannot be ${value}`);
}
