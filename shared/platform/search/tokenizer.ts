/** Further words of a query are ignored. */
const maxWords = 10;
/** Longer words are truncated, in documents and in queries. */
const maxWordLength = 60;

/** Letters that Unicode does not decompose, with their usual substitutes on other keyboards. */
const plainLetters: Readonly<Record<string, string>> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  ł: 'l',
  đ: 'd',
  ð: 'd',
  ħ: 'h',
  ı: 'i',
  ŧ: 't',
  þ: 'th',
  ĸ: 'k',
  ŋ: 'n',
};
const specialLetter = new RegExp(`[${Object.keys(plainLetters).join('')}]`, 'gu');
const accent = /[\u0300-\u036f]/g;
const plainAscii = /^[\t\n\r\u0020-\u007e]*$/;
const asciiWord = /[a-z0-9]+/g;
const word = /[\p{L}\p{N}\p{M}]+|\p{Emoji_Presentation}/gu;
const scriptWithoutSpaces =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;
/** Longer texts of such scripts are first split at this length. */
const segmentedLength = 500;
const segmenter = new Intl.Segmenter('en', { granularity: 'word' });

/** The parsed text of a query. */
export interface QueryText {
  /** Normalized words, in the order of the text. */
  readonly words: readonly string[];
  /** The last word is a prefix: the text ended in `*`. */
  readonly prefix: boolean;
}

/**
 * The normalized words of a text: lower case, without accents, split at everything that is neither a letter nor a digit. Both
 * engines index and look up exactly these words, and therefore find the same documents.
 */
export function tokenize(text: string): readonly string[] {
  const isAscii = plainAscii.test(text);
  const folded = isAscii ? text.toLowerCase() : foldLetters(text);
  const found = folded.match(isAscii ? asciiWord : word);
  if (!found) return [];
  const separate = !isAscii && scriptWithoutSpaces.test(folded) ? found.flatMap(segment) : found;
  return separate.some((piece) => piece.length > maxWordLength) ? separate.map(cut) : separate;
}

/** Parses the text of a query. Null if it has no word: the query then matches everything. */
export function parseQueryText(text: string | undefined): QueryText | null {
  if (text === undefined) return null;
  const all = tokenize(text);
  if (all.length === 0) return null;
  return { words: all.slice(0, maxWords), prefix: text.trimEnd().endsWith('*') && all.length <= maxWords };
}

/** Normalizes a text for filtering or sorting: case and surrounding spaces are ignored, accents are not. */
export function foldValue(text: string): string {
  const trimmed = text.trim();
  return (plainAscii.test(trimmed) ? trimmed : trimmed.normalize('NFKD')).toLowerCase();
}

function foldLetters(text: string): string {
  const decomposed = text.normalize('NFKD').toLowerCase().replace(accent, '');
  return decomposed.replace(specialLetter, (letter) => plainLetters[letter] ?? letter).normalize('NFC');
}

/**
 * Scripts without spaces are split into words by a dictionary, which takes quadratic time for a long text. A piece consists of
 * letters, digits and marks, so all of its parts are words, although the segmenter classifies some parts as non-words depending
 * on their neighbours.
 */
function segment(piece: string): string[] {
  if (!scriptWithoutSpaces.test(piece)) return [piece];
  const words: string[] = [];
  for (let start = 0; start < piece.length; start += segmentedLength)
    for (const { segment: part } of segmenter.segment(piece.slice(start, start + segmentedLength))) words.push(part);
  return words;
}

function cut(found: string): string {
  return found.length <= maxWordLength ? found : [...found].slice(0, maxWordLength).join('');
}
