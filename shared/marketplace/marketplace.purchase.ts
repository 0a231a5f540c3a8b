import { divideSale } from '../ledger/divide.js';
import { NotFoundError } from '../platform/errors.js';
import { NothingToGrantError, type Purchase } from '../platform/payments.js';
import { acquire, type AcquisitionTerms } from './acquiredLicense.lifecycle.js';
import { revokeLicense } from './revocation.js';

/** The activation price of an offer: grants what was agreed when it was named, also where the offer has gone since. */
export const marketplacePurchase: Purchase = {
  kind: 'marketplace',
  async grant(ctx, tx, { buyerId, sellerId, amountCents, terms }) {
    if (buyerId === null || sellerId === null) throw new Error('a license is bought by a user, of a user');
    await acquire(ctx, tx, buyerId, terms as unknown as AcquisitionTerms, true).catch((error: unknown) => {
      // Not found would say that there is no such payment, and there is.
      throw error instanceof NotFoundError
        ? new NothingToGrantError('the content of a paid license is gone', { cause: error })
        : error;
    });
    return divideSale(amountCents, ctx.config.payments.platformBasisPoints, sellerId);
  },
  revoke: revokeLicense,
};
