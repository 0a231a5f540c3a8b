import { expect } from 'chai';
import type { EngineHarness } from './engineHarness.js';

export function wordsContract(harness: EngineHarness): void {
  describe('words', () => {
    it('finds nothing in an empty index', async () => {
      await harness.expectHits('cockatoo', []);
      await harness.expectHits({}, []);
    });

    it('finds words in every field of the requested groups', async () => {
      await harness.write(
        { id: 'title', title: 'The white cockatoo' },
        { id: 'description', description: 'a cockatoo dances' },
        { id: 'tags', tags: ['bird', 'cockatoo'] },
        { id: 'bundle', bundleName: 'cockatoo collection' },
        { id: 'publisher', pageDescription: 'all about the cockatoo' },
        { id: 'none', title: 'something else' },
      );
      await harness.expectHits('cockatoo', ['title', 'description', 'tags', 'bundle', 'publisher']);
      await harness.expectHits({ text: 'cockatoo', groups: ['content'] }, ['title', 'description', 'tags']);
      await harness.expectHits({ text: 'cockatoo', groups: ['publisher'] }, ['publisher']);
      await harness.expectHits({ text: 'cockatoo', groups: [] }, []);
    });

    it('orders by weight of the group, and counts a document found in two groups once', async () => {
      await harness.write(
        { id: 'publisher', userCode: 'falcon', publishedAt: 9 },
        { id: 'content', title: 'falcon', publishedAt: 1 },
        { id: 'bundle', bundleName: 'falcon', publishedAt: 5 },
        { id: 'both', title: 'falcon', userCode: 'falcon', publishedAt: 2 },
      );
      await harness.expectHits('falcon', ['both', 'content', 'bundle', 'publisher']);
    });

    it('orders hits of equal relevance by the requested sort', async () => {
      await harness.write(
        { id: 'b', title: 'night train', publishedAt: 2, name: 'x' },
        { id: 'a', title: 'night train', publishedAt: 3, name: 'z' },
        { id: 'c', title: 'night train', publishedAt: 1, name: 'y' },
      );
      await harness.expectHits('night', ['a', 'b', 'c']);
      await harness.expectHits({ text: 'night', sort: ['publishedAt'] }, ['c', 'b', 'a']);
      await harness.expectHits({ text: 'night', sort: ['name'] }, ['b', 'c', 'a']);
    });

    it('matches whole words, and prefixes if the text ends in an asterisk', async () => {
      await harness.write(
        { id: 'bird', title: 'cockatoo' },
        { id: 'drink', title: 'cocktail' },
        { id: 'rooster', title: 'cock' },
      );
      await harness.expectHits('cock', ['rooster']);
      expect(await harness.idsOf('cock*')).to.have.members(['bird', 'drink', 'rooster']);
      await harness.expectHits('cockato*', ['bird']);
      await harness.expectHits('white cockato*', []);
      await harness.expectHits(' Cockato* ', ['bird']);
    });

    it('matches words with typos, more in longer words, none in short words and numbers', async () => {
      await harness.write(
        { id: 'bird', title: 'cockatoo' },
        { id: 'long', title: 'photography' },
        { id: 'short', title: 'bird 123456' },
      );
      for (const typo of ['cockato', 'cockatooo', 'cokcatoo', 'cockstoo']) await harness.expectHits(typo, ['bird']);
      for (const typo of ['photografy', 'phtography', 'photogarphi']) await harness.expectHits(typo, ['long']);
      for (const wrong of ['kockatto', 'cokkato', 'bord', '123457', 'lockatoo', 'fotography'])
        await harness.expectHits(wrong, []);
    });

    it('ranks exact matches before matches with typos', async () => {
      await harness.write(
        { id: 'near', title: 'horse', publishedAt: 9 },
        { id: 'typed', title: 'house', publishedAt: 1 },
      );
      await harness.expectHits('house', ['typed', 'near']);
    });

    it('matches prefixes with a typo', async () => {
      await harness.write({ id: 'bird', title: 'cockatoo' }, { id: 'other', title: 'mountain' });
      await harness.expectHits('cocksto*', ['bird']);
    });

    it('ignores case and accents on both sides', async () => {
      await harness.write(
        { id: 'accents', title: 'Città è naïve, São João, Łódź, Straße' },
        { id: 'plain', title: 'CITTA e naive' },
      );
      expect(await harness.idsOf('citta')).to.have.members(['accents', 'plain']);
      expect(await harness.idsOf('CITTÀ')).to.have.members(['accents', 'plain']);
      for (const text of ['sao', 'joão', 'lodz', 'ŁÓDŹ', 'strasse', 'straße', 'STRASSE'])
        await harness.expectHits(text, ['accents']);
    });

    it('finds words of any script, and emoji', async () => {
      await harness.write(
        { id: 'russian', title: 'Белый какаду' },
        { id: 'greek', title: 'λευκός παπαγάλος' },
        { id: 'japanese', title: '東京タワー観光' },
        { id: 'arabic', title: 'ببغاء أبيض' },
        { id: 'emoji', title: 'movie night 🎬' },
      );
      await harness.expectHits('КАКАДУ', ['russian']);
      await harness.expectHits('παπαγαλος', ['greek']);
      await harness.expectHits('観光', ['japanese']);
      await harness.expectHits('ببغاء', ['arabic']);
      await harness.expectHits('🎬', ['emoji']);
    });

    it('splits words at everything that is neither a letter nor a digit', async () => {
      await harness.write({ id: 'signs', title: "l'uomo_ragno (2024): rock-n-roll/live" });
      for (const text of ['uomo', 'ragno', '2024', 'roll', 'live', 'rock-n-roll', "l'uomo"])
        await harness.expectHits(text, ['signs']);
    });

    it('ranks hits with more words first, and keeps hits when a word is added', async () => {
      await harness.write(
        { id: 'one', title: 'jazz evening', publishedAt: 9 },
        { id: 'two', title: 'jazz concert', publishedAt: 5 },
        { id: 'three', title: 'jazz concert paris', publishedAt: 1 },
        { id: 'other', title: 'concert paris', publishedAt: 7 },
      );
      await harness.expectHits('jazz', ['one', 'two', 'three']);
      await harness.expectHits('jazz concert', ['two', 'three', 'one']);
      await harness.expectHits('jazz concert paris', ['three', 'two', 'one']);
      await harness.expectHits('jazz concert paris zebra', ['three', 'two', 'one']);
    });

    it('treats characters of query languages as separators', async () => {
      await harness.write({ id: 'both', title: 'red green' }, { id: 'red', title: 'red blue' });
      expect(await harness.idsOf('"red')).to.have.members(['both', 'red']);
      expect(await harness.idsOf('red -green')).to.deep.equal(['both', 'red']);
      expect(await harness.idsOf("red' | !green & (blue:*")).to.have.members(['both', 'red']);
      expect(await harness.idsOf('red \\')).to.have.members(['both', 'red']);
    });

    it('matches everything for a text without a word', async () => {
      await harness.write({ id: 'a', title: 'x', publishedAt: 1 }, { id: 'b', title: 'y', publishedAt: 2 });
      for (const text of [undefined, '', '   ', '*', '!?', '"']) await harness.expectHits({ text }, ['b', 'a']);
    });

    it('accepts very long texts and queries of many words', async () => {
      const letters = 'x'.repeat(300);
      const many = Array.from({ length: 60 }, (_, word) => `word${word}`).join(' ');
      await harness.write({ id: 'long', title: `${letters} ${many}`, description: `${many} `.repeat(200) });
      await harness.expectHits(letters, ['long']);
      await harness.expectHits(many, ['long']);
      await harness.expectHits(`${many} nothing*`, ['long']);
    });
  });
}
