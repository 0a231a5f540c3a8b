import { bundlePurchase } from './bundle/bundle.purchase.js';
import { licensePurchase } from './license/license.purchase.js';
import { marketplacePurchase } from './marketplace/marketplace.purchase.js';
import type { Purchase } from './platform/payments.js';
import { vodPurchase } from './vod/vod.purchase.js';

/** Everything one can buy, and what paying for it grants. */
export const purchases: readonly Purchase[] = [licensePurchase, bundlePurchase, vodPurchase, marketplacePurchase];
