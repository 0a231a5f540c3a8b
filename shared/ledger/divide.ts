import type { Earning } from './posting.js';

/** A licensor's share of a sale: a fraction of the amount after the platform's share, or a fixed amount. */
export type LicensorShare =
  | { readonly userId: string; readonly basisPoints: number }
  | { readonly userId: string; readonly cents: number };

/** Basis points (hundredths of a percent) in 100 percent. */
const fullBasisPoints = 10_000;

/**
 * Divides a sale. The platform receives its share; if the content was licensed, the licensor receives a share of the
 * rest; the seller receives the remainder. Shares are whole cents, rounded with the largest remainder method, and add
 * up to the amount. A licensor's fixed amount is limited to the rest. Shares of 0 cents are omitted. Throws if the
 * amount or a share is out of range.
 */
export function divideSale(
  amountCents: number,
  platformBasisPoints: number,
  sellerId: string,
  licensor?: LicensorShare,
): Earning[] {
  assertWithin('amount', amountCents, Number.MAX_SAFE_INTEGER);
  assertWithin('platform share', platformBasisPoints, fullBasisPoints);
  const platform = { userId: null, cents: 0 };
  const seller = { userId: sellerId, cents: 0 };
  const rest = fullBasisPoints - platformBasisPoints;
  if (licensor === undefined || 'cents' in licensor) {
    const [forSeller = 0, forPlatform = 0] = byLargestRemainder(amountCents, [rest, platformBasisPoints]);
    const fixed = licensor === undefined ? 0 : Math.min(licensor.cents, forSeller);
    assertWithin('licensor amount', fixed, forSeller);
    return withoutZeros([
      { ...platform, cents: forPlatform },
      ...(licensor === undefined ? [] : [{ userId: licensor.userId, cents: fixed }]),
      { ...seller, cents: forSeller - fixed },
    ]);
  }
  assertWithin('licensor share', licensor.basisPoints, fullBasisPoints);
  const [forSeller = 0, forLicensor = 0, forPlatform = 0] = byLargestRemainder(amountCents, [
    rest * (fullBasisPoints - licensor.basisPoints),
    rest * licensor.basisPoints,
    platformBasisPoints * fullBasisPoints,
  ]);
  return withoutZeros([
    { ...platform, cents: forPlatform },
    { userId: licensor.userId, cents: forLicensor },
    { ...seller, cents: forSeller },
  ]);
}

/**
 * Divides an amount in proportion to integer weights (largest remainder method): each share is rounded down, and the
 * remaining cents go, one each, to the shares with the largest remainders. Of equal remainders, the first in the list
 * has precedence.
 */
export function byLargestRemainder(amount: number, weights: readonly number[]): number[] {
  const total = weights.reduce((sum, weight) => sum + BigInt(weight), 0n);
  if (total <= 0n) throw new Error('the weights add up to zero');
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

function assertWithin(name: string, value: number, max: number): void {
  if (!Number.isSafeInteger(value) || value < 0 || value > max) throw new Error(`${name} out of range: ${value}`);
}
