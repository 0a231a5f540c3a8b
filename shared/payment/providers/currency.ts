/*
 * Amounts in the format of each provider. This service stores hundredths of the currency's main unit for every currency: 10.00 JPY
 * are 1,000 cents here, "10" at PayPal and 10 at Stripe.
 */

/** Currencies without decimals at PayPal (its reference "Currency Codes"); all others that it supports have two. */
const paypalWhole = new Set(['HUF', 'JPY', 'TWD']);

/** Currencies without decimals at Stripe (its documentation on minor units in API amounts). */
const stripeWhole = new Set([
  ...['BIF', 'CLP', 'DJF', 'GNF', 'JPY', 'KMF', 'KRW', 'MGA'],
  ...['PYG', 'RWF', 'VND', 'VUV', 'XAF', 'XOF', 'XPF'],
]);
const stripeThousandths = new Set(['BHD', 'JOD', 'KWD', 'OMR', 'TND']);
/** Currencies with two decimals at Stripe, which must be 00. */
const stripeWholeInCents = new Set(['ISK', 'UGX']);

/** `10.50`, or `10` in a currency without decimals. Throws if the currency cannot express the amount. */
export function paypalAmount(cents: number, currency: string): string {
  if (paypalWhole.has(currency)) return String(wholeUnits(cents, currency));
  return `${Math.trunc(cents / 100)}.${String(cents % 100).padStart(2, '0')}`;
}

/** Cents of a PayPal amount. Throws if it is not a whole number of cents. */
export function paypalCents(value: string): number {
  const [, units, decimals = ''] = /^(\d+)(?:\.(\d+))?$/.exec(value) ?? [];
  const cents = units === undefined ? Number.NaN : Number(units + decimals.slice(0, 2).padEnd(2, '0'));
  if (!Number.isSafeInteger(cents) || /[^0]/.test(decimals.slice(2)))
    throw new Error(`invalid PayPal amount: ${value.slice(0, 40)}`);
  return cents;
}

/** An amount in the currency's smallest unit. Throws if the currency cannot express it. */
export function stripeAmount(cents: number, currency: string): number {
  if (stripeWhole.has(currency)) return wholeUnits(cents, currency);
  if (stripeWholeInCents.has(currency)) return wholeUnits(cents, currency) * 100;
  return stripeThousandths.has(currency) ? cents * 10 : cents;
}

/** Cents of an amount in the currency's smallest unit. Throws if it is not a whole number of cents. */
export function stripeCents(amount: number, currency: string): number {
  const cents = stripeWhole.has(currency) ? amount * 100 : stripeThousandths.has(currency) ? amount / 10 : amount;
  if (!Number.isSafeInteger(cents)) throw new Error(`invalid Stripe amount: ${amount} ${currency}`);
  return cents;
}

function wholeUnits(cents: number, currency: string): number {
  if (cents % 100 !== 0)
    throw new Error(`${cents / 100} ${currency} is not a valid amount: the currency has no decimals`);
  return cents / 100;
}
