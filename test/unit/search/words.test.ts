import { expect } from 'chai';
import fc from 'fast-check';
import sinon from 'sinon';
import { queryKeys, storedKeys } from '../../../shared/platform/search/postgres/typoKeys.js';
import { foldValue, parseQueryText, tokenize } from '../../../shared/platform/search/tokenizer.js';
import { allowedTypos, isTypoOf } from '../../../shared/platform/search/typos.js';

describe('tokenize', () => {
  it('returns words in lower case, without accents, split at punctuation', () => {
    expect(tokenize("L'Élan vital: rock-n-roll_2024")).to.deep.equal([
      'l',
      'elan',
      'vital',
      'rock',
      'n',
      'roll',
      '2024',
    ]);
    expect(tokenize('Łódź Straße Ærø İstanbul Đakovo')).to.deep.equal([
      'lodz',
      'strasse',
      'aero',
      'istanbul',
      'dakovo',
    ]);
    expect(tokenize('  \t\n ')).to.deep.equal([]);
  });

  it('treats composed and decomposed accents alike', () =>
    expect(tokenize('caf\u00e9')).to.deep.equal(tokenize('cafe\u0301')));

  it('keeps the vowel signs of scripts that have them', () => expect(tokenize('हिन्दी')).to.deep.equal(['हिन्दी']));

  it('cuts words at sixty letters', () => expect(tokenize('x'.repeat(100))).to.deep.equal(['x'.repeat(60)]));

  it('keeps single letters that are a word only next to others', () => {
    expect(tokenize('\u2ef3\u{16fe3}')).to.deep.equal(['\u9f9f', '\u{16fe3}']);
    expect(tokenize('\u{16fe3}')).to.deep.equal(['\u{16fe3}']);
  });

  it('is idempotent', () =>
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 40 }), (text) => {
        const words = tokenize(text);
        expect(tokenize(words.join(' '))).to.deep.equal(words);
      }),
    ));

  it('returns no character with a special meaning in a search engine', () =>
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 60 }), (text) => {
        for (const word of tokenize(text)) expect(word).not.to.match(/['"\\\s:&|!()<>*%$-]/);
      }),
    ));

  it('splits long texts without spaces before the dictionary, which takes quadratic time', () => {
    const text = Array.from({ length: 20_000 }, (_, at) => String.fromCodePoint(0x4e00 + at)).join('');
    const segment = sinon.spy(Intl.Segmenter.prototype, 'segment');
    try {
      tokenize(text);
      const lengths = segment.args.map(([piece]) => piece.length);
      expect(Math.max(...lengths)).to.be.at.most(500);
      expect(lengths.reduce((sum, length) => sum + length, 0)).to.equal(text.length);
    } finally {
      segment.restore();
    }
  });
});

describe('parseQueryText', () => {
  it('matches a prefix if the text ends in an asterisk', () => {
    expect(parseQueryText('white cocka*')).to.deep.equal({ words: ['white', 'cocka'], prefix: true });
    expect(parseQueryText(' cocka*  ')).to.deep.equal({ words: ['cocka'], prefix: true });
    expect(parseQueryText('cock*atoo')).to.deep.equal({ words: ['cock', 'atoo'], prefix: false });
  });

  it('returns null for a text without a word', () => {
    for (const text of [undefined, '', ' ', '*', '**', '?!']) expect(parseQueryText(text)).to.equal(null);
  });

  it('ignores words after the tenth', () => {
    const text = Array.from({ length: 12 }, (_, number) => `w${number}`).join(' ');
    expect(parseQueryText(`${text}*`)).to.deep.equal({ words: text.split(' ').slice(0, 10), prefix: false });
  });
});

describe('foldValue', () => {
  it('ignores case and outer spaces, but not accents', () => {
    expect(foldValue(' New YORK ')).to.equal('new york');
    expect(foldValue('É')).to.equal(foldValue('é'));
    expect(foldValue('é')).not.to.equal(foldValue('e'));
  });
});

describe('typos', () => {
  it('are permitted by the length of the word', () => {
    const allowed = (word: string) => allowedTypos(word);
    expect(['bird', 'birds', 'songbird', 'songbirds', '123456789'].map(allowed)).to.deep.equal([0, 1, 1, 2, 0]);
  });

  it('are letters that are added, omitted, changed, or swapped with a neighbor', () => {
    for (const typo of ['cockatooo', 'cockato', 'cockstoo', 'cokcatoo'])
      expect(isTypoOf(typo, 'cockatoo', 1), typo).to.equal(true);
    for (const other of ['cockstop', 'coktoo', 'mountain'])
      expect(isTypoOf(other, 'cockatoo', 1), other).to.equal(false);
    expect(isTypoOf('phtografy', 'photography', 2)).to.equal(false);
    expect(isTypoOf('photografy', 'photography', 2)).to.equal(true);
  });

  it('count twice in the first letter', () => {
    expect(isTypoOf('kockatoo', 'cockatoo', 1)).to.equal(false);
    expect(isTypoOf('fhotography', 'photography', 2)).to.equal(true);
    expect(isTypoOf('fhotografhy', 'photography', 2)).to.equal(false);
  });

  it('may be in a prefix', () => {
    expect(isTypoOf('cocksto', 'cockatoo', 1, true)).to.equal(true);
    expect(isTypoOf('cocksto', 'cockatoo', 1)).to.equal(false);
    expect(isTypoOf('cockata', 'cockatoo', 1, true)).to.equal(true);
    expect(isTypoOf('cockteil', 'cockatoo', 1, true)).to.equal(false);
  });

  it('are counted by code points', () => expect(isTypoOf('𝒂𝒃𝒄𝒅𝒆', '𝒂𝒃𝒄𝒅𝒇', 1)).to.equal(true));
});

/** An alphabet of few letters, so that words are often similar. */
const letter = fc.constantFrom('a', 'b', 'c', 'd');
const words = (minLength: number, maxLength: number) =>
  fc.array(letter, { minLength, maxLength }).map((letters) => letters.join(''));

type Edit = readonly [kind: number, at: number, letter: string];
const edit: fc.Arbitrary<Edit> = fc.tuple(fc.nat({ max: 3 }), fc.nat({ max: 12 }), letter);

/** Adds, omits, changes or swaps letters. */
function edited(word: string, edits: readonly Edit[]): string {
  const letters = [...word];
  for (const [kind, position, added] of edits) {
    const at = position % letters.length;
    if (kind === 0) letters.splice(at, 0, added);
    else if (kind === 1 && letters.length > 1) letters.splice(at, 1);
    else if (kind === 2) letters[at] = added;
    else letters.splice(at, 2, ...letters.slice(at, at + 2).toReversed());
  }
  return letters.join('');
}

function haveCommonKey(word: string, candidate: string): boolean {
  const typos = allowedTypos(word);
  if (typos === 0) return false;
  const stored = storedKeys(candidate);
  return [...queryKeys(word, typos)].some((key) => stored.has(key));
}

describe('typo keys', () => {
  it('find every word that differs by permitted typos', () => {
    const pair = fc.tuple(words(5, 12), fc.array(edit, { minLength: 0, maxLength: 2 }));
    let similar = 0;
    fc.assert(
      fc.property(pair, ([word, edits]) => {
        const candidate = edited(word, edits);
        if (!isTypoOf(word, candidate, allowedTypos(word))) return;
        similar += 1;
        expect(haveCommonKey(word, candidate), `${word} ${candidate}`).to.equal(true);
      }),
      { numRuns: 5_000 },
    );
    expect(similar).to.be.above(1_000);
  });

  it('find every word whose beginning differs by permitted typos', () => {
    const parts = fc.tuple(words(5, 12), fc.array(edit, { minLength: 0, maxLength: 2 }), words(0, 6));
    let similar = 0;
    fc.assert(
      fc.property(parts, ([word, edits, rest]) => {
        const candidate = edited(word, edits) + rest;
        if (!isTypoOf(word, candidate, allowedTypos(word), true)) return;
        similar += 1;
        expect(haveCommonKey(word, candidate), `${word}* ${candidate}`).to.equal(true);
      }),
      { numRuns: 5_000 },
    );
    expect(similar).to.be.above(1_000);
  });

  it('are few, even for long words', () =>
    fc.assert(
      fc.property(words(4, 30), (word) => {
        expect(storedKeys(word).size).to.be.at.most(27);
        expect(queryKeys(word, 2).size).to.be.at.most(23);
        expect(queryKeys(word, 1).size).to.be.at.most(7);
      }),
    ));

  it('consist of characters, not of code units', () => expect(haveCommonKey('𝒂𝒃𝒄𝒅𝒆', '𝒂𝒃𝒄𝒅𝒇')).to.equal(true));
});
