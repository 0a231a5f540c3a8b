/** Words of a query beyond these are not looked at. */
const maximumWords = 10;
/** Longer words are cut, in documents and in queries alike. */
const maximumWordLength = 60;

/** Letters that Unicode does not decompose, as people type them on other keyboards. */
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
const withoutSpaces =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;
const segmenter = new Intl.Segmenter('en', { granularity: 'word' });

/** Free text as every engine sees it. */
export interface ParsedText {
  /** Folded words, in the order they were typed. */
  readonly words: readonly string[];
  /** The last word is only the beginning of one: the text ended in `*`. */
  readonly prefix: boolean;
}

/**
 * The words of a text, folded: lower case, without accents, split at everything that is neither letter nor digit.
 * Both engines index and look up exactly these, which is why they find the same documents.
 */
export function wordsOf(text: string): readonly string[] {
  const found = plainAscii.test(text) ? text.toLowerCase().match(asciiWord) : foldLetters(text).match(word);
  if (!found) return [];
  const separate = found.some((piece) => withoutSpaces.test(piece)) ? found.flatMap(segment) : found;
  return separate.some((piece) => piece.length > maximumWordLength) ? separate.map(cut) : separate;
}

/** Reads free text; null where it holds no word, and so filters nothing. A last `*` asks for prefixes. */
export function parseText(text: string | undefined): ParsedText | null {
  if (text === undefined) return null;
  const all = wordsOf(text);
  if (all.length === 0) return null;
  return { words: all.slice(0, maximumWords), prefix: text.trimEnd().endsWith('*') && all.length <= maximumWords };
}

/** A filter's or a sort's text, compared without case; accents count. */
export function foldValue(text: string): string {
  const trimmed = text.trim();
  return (plainAscii.test(trimmed) ? trimmed : trimmed.normalize('NFKD')).toLowerCase();
}

function foldLetters(text: string): string {
  const decomposed = text.normalize('NFKD').toLowerCase().replace(accent, '');
  return decomposed.replace(specialLetter, (letter) => plainLetters[letter] ?? letter).normalize('NFC');
}

/** Scripts written without spaces are cut at the words of a dictionary. */
function segment(piece: string): string[] {
  if (!withoutSpaces.test(piece)) return [piece];
  return [...segmenter.segment(piece)].filter(({ isWordLike }) => isWordLike).map(({ segment: part }) => part);
}

function cut(found: string): string {
  return found.length <= maximumWordLength ? found : [...found].slice(0, maximumWordLength).join('');
}
