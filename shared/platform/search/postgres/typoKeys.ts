import { typoLengths } from '../typos.js';

/** Keys are built from this number of characters at the start of a word. */
const keyLength = 7;
/** A query for a prefix of this length needs additional keys of longer words: see `storedKeys`. */
const shortestPrefix = typoLengths.one;

/**
 * The keys of a vocabulary word: its first characters, and these without one or two of them. A word and the same word with typos
 * have at least one key in common (SymSpell algorithm). Keys without two characters are stored only if the word is long enough to
 * match a query word with two typos. At most 27 keys.
 */
export function storedKeys(word: string): ReadonlySet<string> {
  const letters = [...word];
  const start = letters.slice(0, keyLength);
  if (letters.length < typoLengths.two - 2) {
    return new Set([...withoutOne(start), ...shortPrefixKeys(letters)]);
  }
  return new Set([...withoutTwo(start), withoutFirst(start), ...shortPrefixKeys(letters)]);
}

/** The keys to look up for a query word with this many typos. At most 23 keys. */
export function queryKeys(word: string, typos: 1 | 2): ReadonlySet<string> {
  const start = [...word].slice(0, keyLength);
  return typos === 1 ? withoutOne(start) : new Set([...withoutTwo(start), withoutFirst(start)]);
}

/** The start of a longer word: five characters with a typo. */
function shortPrefixKeys(letters: readonly string[]): ReadonlySet<string> {
  return letters.length > shortestPrefix ? withoutOne(letters.slice(0, shortestPrefix)) : new Set();
}

/** The characters, and the same without each one except the first: a wrong first letter counts as two typos. */
function withoutOne(letters: readonly string[]): Set<string> {
  const keys = new Set([letters.join('')]);
  for (let position = 1; position < letters.length; position += 1) keys.add(without(letters, position).join(''));
  return keys;
}

function withoutTwo(letters: readonly string[]): Set<string> {
  const keys = withoutOne(letters);
  for (let position = 1; position < letters.length; position += 1)
    for (const key of withoutOne(without(letters, position))) keys.add(key);
  return keys;
}

function withoutFirst(letters: readonly string[]): string {
  return letters.slice(1).join('');
}

function without(letters: readonly string[], position: number): string[] {
  return letters.filter((_, at) => at !== position);
}
