export { idsBy, idsOfRows } from './documentIds.js';
export { equalTo, tagFilter, type Filters } from './filters.js';
export { defineIndex, withBoundedTexts, withMembers, type IndexDefinition } from './indexDefinition.js';
export { openSearch, type SearchOptions } from './openSearch.js';
export {
  drainSearch,
  rebuildSearch,
  sweepSearchDrift,
  type EnginePayload,
  type RebuildPayload,
} from './search.jobs.js';
export { SearchBuild, SearchFence, SearchMark, SearchTypoKey, SearchWord } from './search.model.js';
export type {
  Condition,
  RebuildProgress,
  Search,
  SearchDocument,
  SearchHits,
  SearchIndex,
  SearchQuery,
  SearchValue,
} from './search.js';
export { tokenize } from './tokenizer.js';
