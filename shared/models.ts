import type { ModelDefinition } from './platform/database/database.js';
import { Bundle } from './bundle/bundle.model.js';
import { BoxItem } from './box/box.model.js';
import { Content } from './content/content.model.js';
import { Thumbnail } from './content/thumbnail.model.js';
import { MarketplaceItem } from './marketplace/marketplace.model.js';
import { User } from './user/user.model.js';
import { VodItem } from './vod/vod.model.js';

/** Every table that has a model. */
export const models: readonly ModelDefinition[] = [User, Content, Thumbnail, BoxItem, Bundle, MarketplaceItem, VodItem];
