import { boxIndex } from './box/box.index.js';
import { bundleIndex } from './bundle/bundle.index.js';
import { subscriptionIndex } from './bundle/subscription.index.js';
import { castStreamIndex } from './cast/castStream.index.js';
import { castChannelIndex } from './cast/castChannel.index.js';
import { castProgramIndex } from './cast/program.index.js';
import { liveChannelIndex } from './live/liveChannel.index.js';
import { liveEventIndex } from './live/event.index.js';
import { licenseTypesOfBoxItems } from './marketplace/boxIndex.members.js';
import { marketplaceIndex } from './marketplace/marketplace.index.js';
import { bundleTextsOfVods } from './bundle/vodIndex.members.js';
import type { Context } from './platform/context.js';
import { withBoundedTexts, withMembers, type IndexDefinition } from './platform/search/index.js';
import { userIndex } from './user/user.index.js';
import { vodIndex } from './vod/vod.index.js';

/** Every search index. */
export const indexes: readonly IndexDefinition<Context>[] = [
  withMembers(boxIndex, licenseTypesOfBoxItems),
  bundleIndex,
  subscriptionIndex,
  marketplaceIndex,
  withMembers(vodIndex, bundleTextsOfVods),
  liveChannelIndex,
  liveEventIndex,
  castChannelIndex,
  castStreamIndex,
  castProgramIndex,
  userIndex,
].map((index) => withBoundedTexts(index));
