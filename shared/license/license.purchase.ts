import Joi from 'joi';
import { StoredTerms, type Purchase } from '../payment/purchase.js';
import { addMonths, revokeMonths } from './period.lifecycle.js';

interface LicenseTerms {
  readonly planId: number;
  readonly months: number;
}

/** The terms are stored with the payment, so that a later change of the plan does not affect it. */
export const licenseTerms = new StoredTerms(
  Joi.object<LicenseTerms, true>({
    planId: Joi.number().integer().required(),
    months: Joi.number().integer().min(1).required(),
  }),
);

/** Months of a plan: `docs/contract.md#choices-licenses`. The platform receives the full amount. */
export const licensePurchase: Purchase = {
  async grant(ctx, tx, payment) {
    if (payment.buyerId === null) throw new Error('a license payment needs a buyer');
    const { planId, months } = licenseTerms.read(payment.terms);
    await addMonths(ctx, tx, { userId: payment.buyerId, trackingId: payment.trackingId, planId, months });
    return [{ userId: null, cents: payment.amountCents }];
  },
  async revoke(ctx, tx, { buyerId, trackingId }) {
    if (buyerId === null) throw new Error('a license payment needs a buyer');
    await revokeMonths(ctx, tx, { userId: buyerId, trackingId });
  },
};
