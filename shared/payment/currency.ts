/**
 * Amounts as providers write them. Ours are hundredths of the currency's main unit, whatever the currency: 10,00 JPY
 * are 1,000 cents here, "10" at PayPal and 10 at Stripe.
 */

/** PayPal refuses decimals in these (its reference "Currency Codes"); all others that it takes have two. */
const paypalWhole = new Set(['HUF', 'JPY', 'TWD']);

/** Stripe's documentation on currencies: minor units in API amounts. */
const stripeWhole = new Set([
  ...['BIF', 'CLP', 'DJF', 'GNF', 'JPY', 'KMF', 'KRW', 'MGA'],
  ...['PYG', 'RWF', 'VND', 'VUV', 'XAF', 'XOF', 'XPF'],
]);
const stripeThousandths = new Set(['BHD', 'JOD', 'KWD', 'OMR', 'TND']);
/** Written with two decimals, which have to be 00. */
const stripeWholeInCents = new Set(['ISK', 'UGX']);

/** `10.50`; whole where the currency has no decimals. Throws where the currency has no such amount. */
export function paypalAmount(cents: number, currency: string): string {
  if (paypalWhole.has(currency)) return String(wholeUnits(cents, currency));
  return `${Math.trunc(cents / 100)}.${String(cents % 100).padStart(2, '0')}`;
}

/** Cents of an amount that PayPal names. Throws where it is none that cents can say. */
export function paypalCents(value: string): number {
  const [, units, decimals = ''] = /^(\d+)(?:\.(\d+))?$/.exec(value) ?? [];
  const cents = units === undefined ? Number.NaN : Number(units + decimals.slice(0, 2).padEnd(2, '0'));
  if (!Number.isSafeInteger(cents) || /[^0]/.test(decimals.slice(2)))
    throw new Error(`PayPal names an amount that is none: ${value.slice(0, 40)}`);
  return cents;
}

/** In the currency's smallest unit. Throws where the currency has no such amount. */
export function stripeAmount(cents: number, currency: string): number {
  if (stripeWhole.has(currency)) return wholeUnits(cents, currency);
  if (stripeWholeInCents.has(currency)) return wholeUnits(cents, currency) * 100;
  return stripeThousandths.has(currency) ? cents * 10 : cents;
}

/** Cents of an amount in the currency's smallest unit. Throws where cents cannot say it. */
export function stripeCents(amount: number, currency: string): number {
  const cents = stripeWhole.has(currency) ? amount * 100 : stripeThousandths.has(currency) ? amount / 10 : amount;
  if (!Number.isSafeInteger(cents)) throw new Error(`Stripe names an amount that is none: ${amount} ${currency}`);
  return cents;
}

function wholeUnits(cents: number, currency: string): number {
  if (cents % 100 !== 0) throw new Error(`there are no ${cents / 100} ${currency}: the currency has no decimals`);
  return cents / 100;
}
