import { findContent } from '../content/content.queries.js';
import { divideSale } from '../ledger/divide.js';
import { NotFoundError } from '../platform/errors.js';
import { NothingToGrantError, type Purchase } from '../payment/purchase.js';
import { acquirePaidLicense, revokeLicense } from './acquiredLicense.lifecycle.js';
import { acquisitionTerms } from './acquisitionTerms.js';

/**
 * Purchase of a license for an offer's activation price. Grants the terms of the payment, even if the offer was
 * withdrawn.
 */
export const marketplacePurchase: Purchase = {
  async grant(ctx, tx, { buyerId, sellerId, amountCents, terms }) {
    if (buyerId === null || sellerId === null) throw new Error('marketplace payment without buyer or seller');
    await acquirePaidLicense(ctx, tx, buyerId, acquisitionTerms.read(terms)).catch((error: unknown) => {
      // A NotFoundError would mean that the payment does not exist.
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
