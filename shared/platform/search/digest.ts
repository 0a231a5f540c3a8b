import { createHash } from 'node:crypto';
import { searchedFields } from './indexDefinition.js';
import type { SearchIndex, SearchDocument } from './search.js';

/**
 * What an engine keeps beside a document, to tell by it later whether the rows still say the same. Of the members that
 * the definition names; the order of several values means nothing to an engine.
 */
export function digestOf(index: SearchIndex, document: SearchDocument): string {
  const members = [...searchedFields(index), ...index.filters, ...index.sorts].map((name) => {
    const value = document[name];
    return typeof value === 'object' && value !== null ? value.toSorted() : (value ?? null);
  });
  return createHash('sha256').update(JSON.stringify(members)).digest('base64url').slice(0, 16);
}
