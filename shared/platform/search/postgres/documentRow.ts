import { digestOf } from '../digest.js';
import type { SearchIndex, SearchDocument, SearchValue } from '../search.js';
import { foldValue, tokenize } from '../tokenizer.js';
import { isNumber, typoLengths } from '../typos.js';

/** A row of the table of an index. */
export interface DocumentRow {
  readonly id: string;
  /** Text form of the tsvector; see `lexemeOf`. */
  readonly words: string;
  /** All values as arrays, so that one condition matches both single values and arrays. */
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

/** Rows of documents, and the words that they add to the vocabulary. */
export interface DocumentRows {
  readonly rows: readonly DocumentRow[];
  readonly vocabulary: ReadonlySet<string>;
}

/** Maximum number of words that a document adds to the vocabulary, starting with its shortest texts. */
const vocabularyWordsOfDocument = 64;
/** In UTF-16 code units. The shortest query word with a permitted typo has one more character. */
const shortestWord = typoLengths.one - 1;
export const maxWord = 30;

/**
 * The rows of these documents. A text that several documents contain is tokenized once. `withWords`: false for queries without
 * text.
 */
export function documentRows(index: SearchIndex, documents: readonly SearchDocument[], withWords = true): DocumentRows {
  const wordsOf = createTokenizer();
  const groups = withWords ? Object.values(index.groups) : [];
  const vocabulary = new Set<string>();
  const rows = documents.map((document) => {
    const texts = groups.map(({ fields }) => fields.map((field) => wordsOf(document[field])));
    if (isPublic(index, document)) addVocabulary(vocabulary, texts.flat());
    return documentRow(index, document, texts);
  });
  return { rows, vocabulary };
}

/** Tokenized texts of at least this length are cached, because many documents may contain them, such as a publisher's page. */
const rememberedLength = 200;

function createTokenizer(): (value: SearchValue | undefined) => readonly string[] {
  const remembered = new Map<string, readonly string[]>();
  return (value) => {
    if (value === null || value === undefined) return [];
    const text = typeof value === 'object' ? value.join(' ') : String(value);
    if (text.length < rememberedLength) return tokenize(text);
    const words = remembered.get(text) ?? tokenize(text);
    remembered.set(text, words);
    return words;
  };
}

/** Whether a public search finds the document. */
function isPublic({ publicDocuments }: SearchIndex, document: SearchDocument): boolean {
  return publicDocuments === 'all' || (publicDocuments !== 'none' && document[publicDocuments.where] === true);
}

/** Adds the words of one document. */
function addVocabulary(vocabulary: Set<string>, texts: readonly (readonly string[])[]): void {
  const count = texts.reduce((sum, text) => sum + text.length, 0);
  if (count <= vocabularyWordsOfDocument) {
    // Most documents are short: counting is unnecessary, and earlier documents contain most of the words.
    for (const text of texts)
      for (const word of text) if (!vocabulary.has(word) && isVocabularyWord(word)) vocabulary.add(word);
    return;
  }
  const added = new Set<string>();
  for (const text of texts.toSorted((a, b) => a.length - b.length)) {
    for (const word of text) {
      if (added.size === vocabularyWordsOfDocument) return;
      if (!isVocabularyWord(word)) continue;
      added.add(word);
      vocabulary.add(word);
    }
  }
}

function isVocabularyWord(word: string): boolean {
  return word.length >= shortestWord && word.length <= maxWord && !isNumber(word);
}

/** `texts`: the words of the fields of each group. */
function documentRow(
  index: SearchIndex,
  document: SearchDocument,
  texts: readonly (readonly (readonly string[])[])[],
): DocumentRow {
  const lexemes: string[] = [];
  for (const [groupNumber, fields] of texts.entries()) {
    for (const [word, ranks] of rankedWords(fields)) lexemes.push(`${lexemeOf(groupNumber, word)}:${ranks}`);
  }
  return {
    id: document.id,
    words: lexemes.join(' '),
    filters: filterValues(index, document),
    sorts: sortValues(index, document),
    digest: digestOf(index, document),
  };
}

/** The words of a group. Each has one position per rank of the fields that contain it: `1A,2B`. */
function rankedWords(fields: readonly (readonly string[])[]): Map<string, string> {
  const ranked = new Map<string, string>();
  for (const [position, words] of fields.entries()) {
    const rank = fieldRanks[Math.min(position, fieldRanks.length - 1)] ?? 'D';
    for (const word of words) {
      const before = ranked.get(word);
      if (before === undefined) ranked.set(word, `1${rank}`);
      else if (!before.endsWith(rank)) ranked.set(word, `${before},${position + 1}${rank}`);
    }
  }
  return ranked;
}

/** The normalized form in which a filter value is stored and compared. */
export function postgresFilterValue<Value extends string | number | boolean>(value: Value): Value {
  return (typeof value === 'string' ? foldValue(value) : value) as Value;
}

function filterValues(index: SearchIndex, document: SearchDocument): DocumentRow['filters'] {
  const values: Record<string, (string | number | boolean)[]> = {};
  for (const name of index.filters) {
    const value = document[name];
    if (value === null || value === undefined) continue;
    values[name] = typeof value === 'object' ? value.map(postgresFilterValue) : [postgresFilterValue(value)];
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
