import { bundlePurchase } from './bundle/bundle.purchase.js';
import { licensePurchase } from './license/license.purchase.js';
import { marketplacePurchase } from './marketplace/marketplace.purchase.js';
import type { Purchase } from './platform/payments.js';
import { viewPurchase } from './playback/view.purchase.js';

/** Everything one can buy, and what paying for it grants. */
export const purchases: readonly Purchase[] = [licensePurchase, bundlePurchase, viewPurchase, marketplacePurchase];
