import { expect } from 'chai';
import fc from 'fast-check';
import { foldValue, parseText, wordsOf } from '../../../shared/platform/search/words.js';

describe('words of a text', () => {
  it('are lower case, without accents, split at signs', () => {
    expect(wordsOf("L'Élan vital: rock-n-roll_2024")).to.deep.equal([
      'l',
      'elan',
      'vital',
      'rock',
      'n',
      'roll',
      '2024',
    ]);
    expect(wordsOf('Łódź Straße Ærø İstanbul Đakovo')).to.deep.equal(['lodz', 'strasse', 'aero', 'istanbul', 'dakovo']);
    expect(wordsOf('  \t\n ')).to.deep.equal([]);
  });

  it('are the same whether an accent is one sign or two', () => {
    expect(wordsOf('caf\u00e9')).to.deep.equal(wordsOf('cafe\u0301'));
  });

  it('keep the vowel signs of scripts that write with them', () => {
    expect(wordsOf('हिन्दी')).to.deep.equal(['हिन्दी']);
  });

  it('are cut at sixty letters', () => {
    expect(wordsOf('x'.repeat(100))).to.deep.equal(['x'.repeat(60)]);
  });

  it('stay as they are when they are read again', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 40 }), (text) => {
        const words = wordsOf(text);
        expect(wordsOf(words.join(' '))).to.deep.equal(words);
      }),
    );
  });

  it('hold no sign that could mean anything to an engine', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 60 }), (text) => {
        for (const word of wordsOf(text)) expect(word).not.to.match(/['"\\\s:&|!()<>*%$-]/);
      }),
    );
  });
});

describe('free text', () => {
  it('asks for a beginning where it ends in a star', () => {
    expect(parseText('white cocka*')).to.deep.equal({ words: ['white', 'cocka'], prefix: true });
    expect(parseText(' cocka*  ')).to.deep.equal({ words: ['cocka'], prefix: true });
    expect(parseText('cock*atoo')).to.deep.equal({ words: ['cock', 'atoo'], prefix: false });
  });

  it('without a word is no filter', () => {
    for (const text of [undefined, '', ' ', '*', '**', '?!']) expect(parseText(text)).to.equal(null);
  });

  it('is read up to ten words', () => {
    const text = Array.from({ length: 12 }, (_, number) => `w${number}`).join(' ');
    expect(parseText(`${text}*`)).to.deep.equal({ words: text.split(' ').slice(0, 10), prefix: false });
  });
});

describe('a filter value', () => {
  it('is compared without case and outer blanks, with accents', () => {
    expect(foldValue(' New YORK ')).to.equal('new york');
    expect(foldValue('É')).to.equal(foldValue('é'));
    expect(foldValue('é')).not.to.equal(foldValue('e'));
  });
});
