/* Pauses between the requests of a page, in milliseconds. `random` is from 0 to 1. */

/** Spreads the requests of viewers who have opened the page at the same time. */
export function spread(milliseconds, random) {
  return milliseconds * (0.8 + 0.4 * random);
}

/** Exponential backoff: grows with `attempts`, the number of consecutive requests with the same outcome. */
export function backoff({ first, max, factor = 1.5 }, { attempts, random }) {
  return spread(Math.min(max, first * factor ** Math.min(attempts, 50)), random);
}

/** After a failed request, and after a loss of the stream. */
export const afterFailure = { first: 2000, max: 30_000 };
export const afterLoss = { first: 1000, max: 15_000 };
/** While a payment may still be confirmed. */
export const whileAwaited = { first: 3000, max: 15_000, factor: 1.1 };
