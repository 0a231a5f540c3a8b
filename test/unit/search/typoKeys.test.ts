import { expect } from 'chai';
import fc from 'fast-check';
import { queryKeys, storedKeys } from '../../../shared/platform/search/postgres/typoKeys.js';
import { allowedTypos, isTypoOf } from '../../../shared/platform/search/typos.js';

/** Few letters, so that words are often similar. */
const letter = fc.constantFrom('a', 'b', 'c', 'd');
const words = (minLength: number, maxLength: number) =>
  fc.array(letter, { minLength, maxLength }).map((letters) => letters.join(''));

type Edit = readonly [kind: number, at: number, letter: string];
const edit: fc.Arbitrary<Edit> = fc.tuple(fc.nat({ max: 3 }), fc.nat({ max: 12 }), letter);

/** Adds, leaves out, changes or swaps letters. */
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
  it('find every word that differs by allowed typos', () => {
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

  it('find every word whose beginning differs by allowed typos', () => {
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

  it('are few, also of long words', () => {
    fc.assert(
      fc.property(words(4, 30), (word) => {
        expect(storedKeys(word).size).to.be.at.most(27);
        expect(queryKeys(word, 2).size).to.be.at.most(23);
        expect(queryKeys(word, 1).size).to.be.at.most(7);
      }),
    );
  });

  it('are made of characters, not of code units', () => {
    expect(haveCommonKey('𝒂𝒃𝒄𝒅𝒆', '𝒂𝒃𝒄𝒅𝒇')).to.equal(true);
  });
});
