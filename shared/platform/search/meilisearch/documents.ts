import { createHash } from 'node:crypto';
import { searchedFields } from '../indexDefinition.js';
import { digestOf } from '../digest.js';
import type { SearchIndex, SearchDocument, SearchValue } from '../search.js';
import { foldValue, tokenize } from '../tokenizer.js';

/** Meilisearch truncates facet values slightly above this length; longer values are replaced by their digest. */
const maxValueBytes = 400;

/** Prefixes of Meilisearch member names: searched, filtered and sorted values are stored separately. */
export const textMember = (field: string) => `text_${field}`;
export const filterMember = (name: string) => `filter_${name}`;
export const sortMemberName = (name: string) => `sort_${name}`;

/** The document as Meilisearch stores it. Its texts are normalized words, so that both engines split them alike. */
export function storedDocument(index: SearchIndex, document: SearchDocument): Record<string, unknown> {
  const stored: Record<string, unknown> = { id: document.id, digest: digestOf(index, document) };
  for (const field of searchedFields(index)) {
    const words = tokenizeValue(document[field]);
    if (words) stored[textMember(field)] = words;
  }
  for (const name of index.filters) {
    const value = document[name];
    if (value === null || value === undefined) continue;
    stored[filterMember(name)] =
      typeof value === 'object' ? value.map(meilisearchFilterValue) : meilisearchFilterValue(value);
  }
  for (const name of index.sorts) {
    const value = document[name];
    if (value === null || value === undefined || typeof value === 'object') continue;
    stored[sortMemberName(name)] = typeof value === 'string' ? foldValue(value) : value;
  }
  return stored;
}

/**
 * A filter value as it is stored and compared. Meilisearch's filter language cannot express every text (it does not unescape
 * doubled backslashes), so its special characters are encoded.
 */
export function meilisearchFilterValue(value: string | number | boolean): string | number | boolean {
  if (typeof value !== 'string') return value;
  const folded = foldValue(value);
  if (folded === '') return '%';
  if (Buffer.byteLength(folded) > maxValueBytes) return `%${createHash('sha256').update(folded).digest('hex')}`;
  // oxlint-disable-next-line no-control-regex -- control characters are encoded
  return folded.replace(/[%"'\\\u0000-\u001f]/g, (char) => `%${char.charCodeAt(0).toString(16).padStart(2, '0')}`);
}

function tokenizeValue(value: SearchValue | undefined): string {
  if (value === null || value === undefined) return '';
  return tokenize(typeof value === 'object' ? value.join(' ') : String(value)).join(' ');
}
