import { boxIndex } from './box/box.search.js';
import { bundleIndex } from './bundle/bundle.search.js';
import { subscriptionIndex } from './bundle/subscription.search.js';
import { marketplaceIndex } from './marketplace/marketplace.search.js';
import type { IndexDefinition } from './platform/search/search.js';
import { userIndex } from './user/user.search.js';
import { vodIndex } from './vod/vod.search.js';

/** Every search index. */
export const indexes: readonly IndexDefinition[] = [
  boxIndex,
  bundleIndex,
  subscriptionIndex,
  marketplaceIndex,
  vodIndex,
  userIndex,
];
