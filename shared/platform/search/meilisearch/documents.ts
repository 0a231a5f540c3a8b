import { createHash } from 'node:crypto';
import { searchedFields } from '../indexDefinition.js';
import { digestOf } from '../digest.js';
import type { SearchIndex, SearchDocument, SearchValue } from '../search.js';
import { foldValue, wordsOf } from '../words.js';

/** Meilisearch cuts facet values somewhat above this; longer ones are known by their digest. */
const maximumValueBytes = 400;

/** Names of a document's members in Meilisearch: what is searched, filtered and sorted by is kept apart. */
export const textMember = (field: string) => `text_${field}`;
export const filterMember = (name: string) => `filter_${name}`;
export const sortMemberName = (name: string) => `sort_${name}`;

/** The document as Meilisearch stores it: words already folded, so that it splits them as PostgreSQL does. */
export function storedDocument(index: SearchIndex, document: SearchDocument): Record<string, unknown> {
  const stored: Record<string, unknown> = { id: document.id, digest: digestOf(index, document) };
  for (const field of searchedFields(index)) {
    const words = wordsOfValue(document[field]);
    if (words) stored[textMember(field)] = words;
  }
  for (const name of index.filters) {
    const value = document[name];
    if (value === null || value === undefined) continue;
    stored[filterMember(name)] = typeof value === 'object' ? value.map(filterValue) : filterValue(value);
  }
  for (const name of index.sorts) {
    const value = document[name];
    if (value === null || value === undefined || typeof value === 'object') continue;
    stored[sortMemberName(name)] = typeof value === 'string' ? foldValue(value) : value;
  }
  return stored;
}

/**
 * A filter value as it is stored and asked for. Meilisearch's filter language cannot write every text (it leaves
 * doubled backslashes as they are), so the signs that mean something to it never reach it.
 */
export function filterValue(value: string | number | boolean): string | number | boolean {
  if (typeof value !== 'string') return value;
  const folded = foldValue(value);
  if (folded === '') return '%';
  if (Buffer.byteLength(folded) > maximumValueBytes) return `%${createHash('sha256').update(folded).digest('hex')}`;
  // oxlint-disable-next-line no-control-regex -- control characters are exactly what is to be replaced
  return folded.replace(/[%"'\\\u0000-\u001f]/g, (sign) => `%${sign.charCodeAt(0).toString(16).padStart(2, '0')}`);
}

function wordsOfValue(value: SearchValue | undefined): string {
  if (value === null || value === undefined) return '';
  return wordsOf(typeof value === 'object' ? value.join(' ') : String(value)).join(' ');
}
