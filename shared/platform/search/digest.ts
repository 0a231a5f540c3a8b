import { createHash } from 'node:crypto';
import { searchedFields } from './indexDefinition.js';
import type { SearchIndex, SearchDocument } from './search.js';

/**
 * Digest of a document, stored with it in the engine: the drift sweep compares it with the document made from the rows
 * now. It covers the members that the definition names. Values of an array count in any order.
 */
export function digestOf(index: SearchIndex, document: SearchDocument): string {
  const members = [...searchedFields(index), ...index.filters, ...index.sorts].map((name) => {
    const value = document[name];
    return typeof value === 'object' && value !== null ? value.toSorted() : (value ?? null);
  });
  return createHash('sha256').update(JSON.stringify(members)).digest('base64url').slice(0, 16);
}
