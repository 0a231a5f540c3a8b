import type { IndexDefinition } from './platform/search/search.js';

/** Every search index. */
export const indexes: readonly IndexDefinition[] = [];
