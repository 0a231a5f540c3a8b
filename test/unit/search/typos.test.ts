import { expect } from 'chai';
import { allowedTypos, isTypoOf } from '../../../shared/platform/search/typos.js';

describe('typos', () => {
  it('are allowed by the length of the word', () => {
    const allowed = (word: string) => allowedTypos(word);
    expect(['bird', 'birds', 'songbird', 'songbirds', '123456789'].map(allowed)).to.deep.equal([0, 1, 1, 2, 0]);
  });

  it('are letters added, left out, changed, or two neighbours swapped', () => {
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

  it('are counted by code points', () => {
    expect(isTypoOf('𝒂𝒃𝒄𝒅𝒆', '𝒂𝒃𝒄𝒅𝒇', 1)).to.equal(true);
  });
});
