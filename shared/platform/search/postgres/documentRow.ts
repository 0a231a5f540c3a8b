import { digestOf } from '../digest.js';
import type { SearchIndex, SearchDocument, SearchValue } from '../search.js';
import { foldValue, tokenize } from '../tokenizer.js';

/** One row of the table of an index. */
export interface DocumentRow {
  readonly id: string;
  /** Text form of the tsvector; see `lexemeOf`. */
  readonly words: string;
  /** Every value in an array, so that one condition finds single values and arrays. */
  readonly filters: Readonly<Record<string, readonly (string | number | boolean)[]>>;
  readonly sorts: Readonly<Record<string, string | number | boolean>>;
  readonly digest: string;
}

/** PostgreSQL's weight labels for the fields of a group in order; the fourth and all later fields share the last. */
export const fieldRanks = ['A', 'B', 'C', 'D'] as const;

/**
 * Words of all groups share one tsvector; the number of the group (0 to 8) before each word separates them. Words come
 * from `tokenize` and consist of letters and digits, so none contains a character that is special in a tsquery.
 */
export function lexemeOf(groupNumber: number, word: string): string {
  return `'${groupNumber}${word}'`;
}

/** The row of a document. Adds the document's words to `vocabulary`. */
export function documentRow(index: SearchIndex, document: SearchDocument, vocabulary: Set<string>): DocumentRow {
  const lexemes: string[] = [];
  for (const [groupNumber, { fields }] of Object.values(index.groups).entries()) {
    for (const [word, ranks] of rankedWords(fields, document)) {
      vocabulary.add(word);
      lexemes.push(`${lexemeOf(groupNumber, word)}:${ranks}`);
    }
  }
  return {
    id: document.id,
    words: lexemes.join(' '),
    filters: filterValues(index, document),
    sorts: sortValues(index, document),
    digest: digestOf(index, document),
  };
}

/** The words of a group, each with one position for every rank of the fields that contain it: `1A,2B`. */
function rankedWords(fields: readonly string[], document: SearchDocument): Map<string, string> {
  const ranked = new Map<string, string>();
  for (const [position, field] of fields.entries()) {
    const rank = fieldRanks[Math.min(position, fieldRanks.length - 1)] ?? 'D';
    for (const word of tokenizeValue(document[field])) {
      const before = ranked.get(word);
      if (before === undefined) ranked.set(word, `1${rank}`);
      else if (!before.endsWith(rank)) ranked.set(word, `${before},${position + 1}${rank}`);
    }
  }
  return ranked;
}

/** A filter value as it is stored and compared. */
export function filterValue<Value extends string | number | boolean>(value: Value): Value {
  return (typeof value === 'string' ? foldValue(value) : value) as Value;
}

function tokenizeValue(value: SearchValue | undefined): readonly string[] {
  if (value === null || value === undefined) return [];
  return tokenize(typeof value === 'object' ? value.join(' ') : String(value));
}

function filterValues(index: SearchIndex, document: SearchDocument): DocumentRow['filters'] {
  const values: Record<string, (string | number | boolean)[]> = {};
  for (const name of index.filters) {
    const value = document[name];
    if (value === null || value === undefined) continue;
    values[name] = typeof value === 'object' ? value.map(filterValue) : [filterValue(value)];
  }
  return values;
}

function sortValues(index: SearchIndex, document: SearchDocument): DocumentRow['sorts'] {
  const values: Record<string, string | number | boolean> = {};
  for (const name of index.sorts) {
    const value = document[name];
    if (value === null || value === undefined || typeof value === 'object') continue;
    values[name] = typeof value === 'string' ? foldValue(value) : value;
  }
  return values;
}
