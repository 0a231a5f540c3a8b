import type { Earning } from './posting.js';

/** A licensor's share of a sale: a fraction of what remains after the platform's share, or a fixed amount. */
export type LicensorShare =
  | { readonly userId: string; readonly basisPoints: number }
  | { readonly userId: string; readonly cents: number };

/** Basis points (hundredths of a percent) in 100 percent. */
const whole = 10_000;

/**
 * Divides a sale. The platform takes its share, a licensor (if the content was licensed) their share of the rest, and the
 * seller what remains. Shares are whole cents, rounded by largest remainder, and add up to the amount. A fixed amount is
 * limited to the rest. Shares of 0 cents are left out. Throws for an amount or a share out of range.
 */
export function divideSale(
  amountCents: number,
  platformBasisPoints: number,
  sellerId: string,
  licensor?: LicensorShare,
): Earning[] {
  assertWithin('amount', amountCents, Number.MAX_SAFE_INTEGER);
  assertWithin('share of the platform', platformBasisPoints, whole);
  const platform = { userId: null, cents: 0 };
  const seller = { userId: sellerId, cents: 0 };
  const rest = whole - platformBasisPoints;
  if (licensor === undefined || 'cents' in licensor) {
    const [forSeller = 0, forPlatform = 0] = byLargestRemainder(amountCents, [rest, platformBasisPoints]);
    const fixed = licensor === undefined ? 0 : Math.min(licensor.cents, forSeller);
    assertWithin('amount of the licensor', fixed, forSeller);
    return withoutZeros([
      { ...platform, cents: forPlatform },
      ...(licensor === undefined ? [] : [{ userId: licensor.userId, cents: fixed }]),
      { ...seller, cents: forSeller - fixed },
    ]);
  }
  assertWithin('share of the licensor', licensor.basisPoints, whole);
  const [forSeller = 0, forLicensor = 0, forPlatform = 0] = byLargestRemainder(amountCents, [
    rest * (whole - licensor.basisPoints),
    rest * licensor.basisPoints,
    platformBasisPoints * whole,
  ]);
  return withoutZeros([
    { ...platform, cents: forPlatform },
    { userId: licensor.userId, cents: forLicensor },
    { ...seller, cents: forSeller },
  ]);
}

/**
 * Divides an amount in proportion to integer weights (largest remainder method): each share is rounded down, and the
 * remaining cents go one each to the shares that lost most by rounding. Of equal losses the first in the list comes first.
 */
export function byLargestRemainder(amount: number, weights: readonly number[]): number[] {
  const total = weights.reduce((sum, weight) => sum + BigInt(weight), 0n);
  if (total <= 0n) throw new Error('no weights to divide by');
  const shares = weights.map((weight, position) => {
    const exact = BigInt(amount) * BigInt(weight);
    return { position, cents: Number(exact / total), lost: exact % total };
  });
  const leftOver = amount - shares.reduce((sum, { cents }) => sum + cents, 0);
  const byLoss = shares.toSorted((left, right) => Number(right.lost > left.lost) - Number(right.lost < left.lost));
  const roundedUp = new Set(byLoss.slice(0, leftOver).map(({ position }) => position));
  return shares.map(({ position, cents }) => (roundedUp.has(position) ? cents + 1 : cents));
}

function withoutZeros(earnings: readonly Earning[]): Earning[] {
  return earnings.filter(({ cents }) => cents > 0);
}

function assertWithin(what: string, value: number, most: number): void {
  if (!Number.isSafeInteger(value) || value < 0 || value > most) throw new Error(`${what} cannot be ${value}`);
}
