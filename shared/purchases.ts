import { bundlePurchase } from './bundle/bundle.purchase.js';
import { licensePurchase } from './license/license.purchase.js';
import { marketplacePurchase } from './marketplace/marketplace.purchase.js';
import type { Purchases } from './payment/purchase.js';
import { liveEventPurchase } from './live/liveEvent.purchase.js';
import { viewPurchase } from './vod/view.purchase.js';

/** All kinds of purchases, with the code that grants them. */
export const purchases: Purchases = {
  license: licensePurchase,
  bundle: bundlePurchase,
  vod: viewPurchase,
  marketplace: marketplacePurchase,
  liveEvent: liveEventPurchase,
};
