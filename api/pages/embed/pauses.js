/* Pauses between the requests of a page, in milliseconds. `random` is from 0 to 1. */

/** Viewers who opened the page at the same moment ask at different ones. */
export function spread(milliseconds, random) {
  return milliseconds * (0.8 + 0.4 * random);
}

/** Longer with each of `attempts` requests that had the same outcome. */
export function growing({ first, longest, factor = 1.5 }, { attempts, random }) {
  return spread(Math.min(longest, first * factor ** Math.min(attempts, 50)), random);
}

/** After a request that has failed, and where what was playing cannot be loaded. */
export const afterFailure = { first: 2000, longest: 30_000 };
export const afterLoss = { first: 1000, longest: 15_000 };
/** While a payment may still be confirmed. */
export const whileAwaited = { first: 3000, longest: 15_000, factor: 1.1 };
