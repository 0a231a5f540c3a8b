import { expect } from 'chai';
import fc from 'fast-check';
import { foldValue, parseQueryText, tokenize } from '../../../shared/platform/search/tokenizer.js';

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

  it('treats composed and decomposed accents alike', () => {
    expect(tokenize('caf\u00e9')).to.deep.equal(tokenize('cafe\u0301'));
  });

  it('keeps the vowel signs of scripts that have them', () => {
    expect(tokenize('हिन्दी')).to.deep.equal(['हिन्दी']);
  });

  it('cuts words at sixty letters', () => {
    expect(tokenize('x'.repeat(100))).to.deep.equal(['x'.repeat(60)]);
  });

  it('keeps letters that are a word only beside others', () => {
    expect(tokenize('\u2ef3\u{16fe3}')).to.deep.equal(['\u9f9f', '\u{16fe3}']);
    expect(tokenize('\u{16fe3}')).to.deep.equal(['\u{16fe3}']);
  });

  it('is idempotent', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 40 }), (text) => {
        const words = tokenize(text);
        expect(tokenize(words.join(' '))).to.deep.equal(words);
      }),
    );
  });

  it('returns no character that is special in an engine', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 60 }), (text) => {
        for (const word of tokenize(text)) expect(word).not.to.match(/['"\\\s:&|!()<>*%$-]/);
      }),
    );
  });

  it('takes linear time for texts without spaces', () => {
    const text = Array.from({ length: 20_000 }, (_, at) => String.fromCodePoint(0x4e00 + ((at * 7919) % 20_000))).join(
      '',
    );
    const millisecondsOf = (parts: readonly string[]) => {
      const started = performance.now();
      for (const part of parts) tokenize(part);
      return performance.now() - started;
    };
    const parts = Array.from({ length: 40 }, (_, at) => text.slice(at * 500, (at + 1) * 500));
    millisecondsOf(parts);
    const least = (measured: () => number) => Math.min(measured(), measured(), measured());
    expect(least(() => millisecondsOf([text]))).to.be.below(5 * least(() => millisecondsOf(parts)));
  });
});

describe('parseQueryText', () => {
  it('matches a prefix where the text ends in a star', () => {
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
  it('ignores case and outer spaces, not accents', () => {
    expect(foldValue(' New YORK ')).to.equal('new york');
    expect(foldValue('É')).to.equal(foldValue('é'));
    expect(foldValue('é')).not.to.equal(foldValue('e'));
  });
});
