import { bundlePurchase } from './bundle/bundle.purchase.js';
import { licensePurchase } from './license/license.purchase.js';
import { marketplacePurchase } from './marketplace/marketplace.purchase.js';
import type { Purchases } from './payment/purchase.js';
import { liveEventPurchase } from './playback/liveEvent.purchase.js';
import { viewPurchase } from './playback/view.purchase.js';

/** Everything that is sold, and what paying for it grants. */
export const purchases: Purchases = {
  license: licensePurchase,
  bundle: bundlePurchase,
  vod: viewPurchase,
  marketplace: marketplacePurchase,
  liveEvent: liveEventPurchase,
};
