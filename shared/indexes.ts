import { boxIndex } from './box/box.search.js';
import type { IndexDefinition } from './platform/search/search.js';
import { vodIndex } from './vod/vod.search.js';

/** Every search index. */
export const indexes: readonly IndexDefinition[] = [boxIndex, vodIndex];
