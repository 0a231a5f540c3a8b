import type { Payment } from '../payment/payment.model.js';
import { formatDate, formatPrice } from '../platform/formats/format.js';
import type { TimeZone } from '../platform/formats/timeZone.js';

/** Payment of `docs/contract.md#fields-event-payment`, for its buyer and its seller: it does not identify the other party. */
export function paymentView(payment: Payment, zone: TimeZone) {
  const { trackingId, kind: itemKind, itemId, title, amountCents, currency, state: status, fulfilledAt } = payment;
  return {
    ...{ trackingId, itemKind, itemId, title, amount: formatPrice(amountCents), currency, status },
    ...(fulfilledAt ? { fulfilledDate: formatDate(fulfilledAt, zone) } : {}),
  };
}
