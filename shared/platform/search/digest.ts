import { hash } from 'node:crypto';
import { searchedFields } from './indexDefinition.js';
import type { SearchIndex, SearchDocument } from './search.js';

/**
 * Digest of a document, stored with it in the engine: the drift sweep compares it with the document read from the current rows.
 * It covers the members that the definition names. The order of array values is ignored.
 */
export function digestOf(index: SearchIndex, document: SearchDocument): string {
  const values = membersOf(index).map((name) => {
    const value = document[name];
    return typeof value === 'object' && value !== null ? value.toSorted() : (value ?? null);
  });
  return hash('sha256', JSON.stringify(values), 'base64url').slice(0, 16);
}

/** Cached by definition, because definitions never change. */
const members = new WeakMap<SearchIndex, readonly string[]>();

function membersOf(index: SearchIndex): readonly string[] {
  const known = members.get(index) ?? [...searchedFields(index), ...index.filters, ...index.sorts];
  members.set(index, known);
  return known;
}
