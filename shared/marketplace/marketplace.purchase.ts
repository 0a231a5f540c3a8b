import { findContent } from '../content/content.queries.js';
import { divideSale } from '../ledger/divide.js';
import { NotFoundError } from '../platform/errors.js';
import { NothingToGrantError, type Purchase } from '../payment/purchase.js';
import { acquirePaidLicense, revokeLicense } from './acquiredLicense.lifecycle.js';
import { acquisitionTerms } from './acquisitionTerms.js';

/** The activation price of an offer. Grants the terms of the payment, also if the offer was withdrawn since. */
export const marketplacePurchase: Purchase = {
  async grant(ctx, tx, { buyerId, sellerId, amountCents, terms }) {
    if (buyerId === null || sellerId === null) throw new Error('a marketplace license needs a buyer and a seller');
    await acquirePaidLicense(ctx, tx, buyerId, acquisitionTerms.read(terms)).catch((error: unknown) => {
      // NotFoundError would mean that there is no such payment.
      throw error instanceof NotFoundError
        ? new NothingToGrantError('content of a paid license is deleted', { cause: error })
        : error;
    });
    return divideSale(amountCents, ctx.config.payments.platformBasisPoints, sellerId);
  },
  async isGrantable(ctx, { terms }) {
    const content = await findContent(ctx, acquisitionTerms.read(terms).contentId);
    return content !== null && content.state !== 'DELETED';
  },
  revoke: revokeLicense,
};
