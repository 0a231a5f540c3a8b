import type { Settings } from 'meilisearch';
import { searchedFields } from '../indexDefinition.js';
import type { SearchIndex } from '../search.js';
import { typoLengths } from '../typos.js';
import { filterMember, sortMemberName, textMember } from './documents.js';

/** Settings of an index, derived from its definition. The server needs no manual configuration. */
export function settingsOf(index: SearchIndex): Settings {
  return {
    displayedAttributes: ['id', 'digest'],
    searchableAttributes: searchedFields(index).map(textMember),
    filterableAttributes: ['id', ...index.filters.map(filterMember)],
    sortableAttributes: ['id', ...index.sorts.map(sortMemberName)],
    rankingRules: ['words', 'typo', 'attributeRank', 'sort'],
    typoTolerance: {
      enabled: true,
      minWordSizeForTypos: { oneTypo: typoLengths.one, twoTypos: typoLengths.two },
      disableOnNumbers: true,
    },
    /** The default of 1,000 would limit totals and page numbers. */
    pagination: { maxTotalHits: 100_000_000 },
  };
}
