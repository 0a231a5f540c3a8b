import { expect } from 'chai';
import {
  defineIndex,
  type Condition,
  type SearchDocument,
  type SearchEngine,
  type SearchHits,
  type SearchQuery,
} from '../../shared/platform/search/search.js';

export interface OpenEngine {
  readonly engine: SearchEngine;
  /** A real server, that can be asked any number of times at any moment; a recording can not. */
  readonly live: boolean;
  close(): Promise<void>;
}

const catalogue = defineIndex({
  name: 'catalogue',
  madeFrom: {},
  document: async () => [],
  ids: async () => [],
  groups: {
    content: { fields: ['title', 'description', 'tags'], weight: 1 },
    bundle: { fields: ['bundleName'], weight: 0.7 },
    publisher: { fields: ['userCode', 'firstName', 'lastName', 'pageTitle', 'pageDescription'], weight: 0.5 },
  },
  filters: ['ownerId', 'visible', 'tags', 'licenseType', 'size'],
  sorts: ['publishedAt', 'name'],
});

type Query = Partial<Omit<SearchQuery, 'page'>> & { pageSize?: number; pageIndex?: number; pagination?: boolean };

/** What both engines must do alike (`shared/platform/search/search.ts`); `open` gives an engine that holds nothing. */
export function searchEngineContract(name: string, open: (title: string) => Promise<OpenEngine>): void {
  describe(`search engine: ${name}`, () => {
    let opened: OpenEngine;

    beforeEach(async function openEngine() {
      opened = await open(this.currentTest?.title ?? '');
      await opened.engine.prepare([catalogue]);
    });

    afterEach(() => opened?.close());

    const write = (...documents: SearchDocument[]) => opened.engine.write(catalogue, documents, []);

    async function find(query: Query | string): Promise<SearchHits> {
      const { pageSize = 20, pageIndex = 0, pagination = true, ...rest } = typeof query === 'string' ? { text: query } : query;
      const defaults = { text: undefined, groups: ['content', 'bundle', 'publisher'], filters: {}, sort: ['-publishedAt'] };
      return opened.engine.search(catalogue, { ...defaults, ...rest, page: { pageSize, pageIndex, pagination } });
    }

    const idsOf = async (query: Query | string) => (await find(query)).ids;

    async function expectHits(query: Query | string, ids: readonly string[]): Promise<void> {
      expect(await find(query), JSON.stringify(query)).to.deep.equal({ ids, totalCount: ids.length });
    }

    const filtered = (filters: Record<string, Condition>) => idsOf({ filters, sort: ['name'] });

    describe('words', () => {
      it('finds nothing in an empty index', async () => {
        await expectHits('cockatoo', []);
        await expectHits({}, []);
      });

      it('finds words in every field of the groups asked for', async () => {
        await write(
          { id: 'title', title: 'The white cockatoo' },
          { id: 'description', description: 'a cockatoo dances' },
          { id: 'tags', tags: ['bird', 'cockatoo'] },
          { id: 'bundle', bundleName: 'cockatoo collection' },
          { id: 'publisher', pageDescription: 'all about the cockatoo' },
          { id: 'none', title: 'something else' },
        );
        await expectHits('cockatoo', ['title', 'description', 'tags', 'bundle', 'publisher']);
        await expectHits({ text: 'cockatoo', groups: ['content'] }, ['title', 'description', 'tags']);
        await expectHits({ text: 'cockatoo', groups: ['publisher'] }, ['publisher']);
        await expectHits({ text: 'cockatoo', groups: [] }, []);
      });

      it('orders by weight of the group, and counts a document found in two groups once', async () => {
        await write(
          { id: 'publisher', userCode: 'falcon', publishedAt: 9 },
          { id: 'content', title: 'falcon', publishedAt: 1 },
          { id: 'bundle', bundleName: 'falcon', publishedAt: 5 },
          { id: 'both', title: 'falcon', userCode: 'falcon', publishedAt: 2 },
        );
        await expectHits('falcon', ['both', 'content', 'bundle', 'publisher']);
      });

      it('orders equal hits by the sort that was asked for', async () => {
        await write(
          { id: 'b', title: 'night train', publishedAt: 2, name: 'x' },
          { id: 'a', title: 'night train', publishedAt: 3, name: 'z' },
          { id: 'c', title: 'night train', publishedAt: 1, name: 'y' },
        );
        await expectHits('night', ['a', 'b', 'c']);
        await expectHits({ text: 'night', sort: ['publishedAt'] }, ['c', 'b', 'a']);
        await expectHits({ text: 'night', sort: ['name'] }, ['b', 'c', 'a']);
      });

      it('takes no part of a word for a word, and a last star for a beginning', async () => {
        await write({ id: 'bird', title: 'cockatoo' }, { id: 'drink', title: 'cocktail' }, { id: 'rooster', title: 'cock' });
        await expectHits('cock', ['rooster']);
        expect(await idsOf('cock*')).to.have.members(['bird', 'drink', 'rooster']);
        await expectHits('cockato*', ['bird']);
        await expectHits('white cockato*', []);
        await expectHits(' Cockato* ', ['bird']);
      });

      it('forgives typos, more of them in longer words, none in short ones and in numbers', async () => {
        await write({ id: 'bird', title: 'cockatoo' }, { id: 'long', title: 'photography' }, { id: 'short', title: 'bird 123456' });
        for (const typo of ['cockato', 'cockatooo', 'cokcatoo', 'cockstoo']) await expectHits(typo, ['bird']);
        for (const typo of ['photografy', 'phtography', 'photogarphi']) await expectHits(typo, ['long']);
        for (const wrong of ['kockatto', 'cokkato', 'bord', '123457', 'lockatoo', 'fotography']) await expectHits(wrong, []);
      });

      it('ranks what was typed before what it may have meant', async () => {
        await write({ id: 'near', title: 'horse', publishedAt: 9 }, { id: 'typed', title: 'house', publishedAt: 1 });
        await expectHits('house', ['typed', 'near']);
      });

      it('forgives a typo in a beginning', async () => {
        await write({ id: 'bird', title: 'cockatoo' }, { id: 'other', title: 'mountain' });
        await expectHits('cocksto*', ['bird']);
      });

      it('ignores case and accents on both sides', async () => {
        await write({ id: 'accents', title: 'Città è naïve, São João, Łódź, Straße' }, { id: 'plain', title: 'CITTA e naive' });
        expect(await idsOf('citta')).to.have.members(['accents', 'plain']);
        expect(await idsOf('CITTÀ')).to.have.members(['accents', 'plain']);
        for (const text of ['sao', 'joão', 'lodz', 'ŁÓDŹ', 'strasse', 'straße', 'STRASSE']) await expectHits(text, ['accents']);
      });

      it('finds words of any script, and signs that stand for themselves', async () => {
        await write(
          { id: 'russian', title: 'Белый какаду' },
          { id: 'greek', title: 'λευκός παπαγάλος' },
          { id: 'japanese', title: '東京タワー観光' },
          { id: 'arabic', title: 'ببغاء أبيض' },
          { id: 'emoji', title: 'movie night 🎬' },
        );
        await expectHits('КАКАДУ', ['russian']);
        await expectHits('παπαγαλος', ['greek']);
        await expectHits('観光', ['japanese']);
        await expectHits('ببغاء', ['arabic']);
        await expectHits('🎬', ['emoji']);
      });

      it('splits words at everything that is no letter and no digit', async () => {
        await write({ id: 'signs', title: "l'uomo_ragno (2024): rock-n-roll/live" });
        for (const text of ['uomo', 'ragno', '2024', 'roll', 'live', 'rock-n-roll', "l'uomo"]) await expectHits(text, ['signs']);
      });

      it('wants all words first, and keeps hits when a word is added', async () => {
        await write(
          { id: 'one', title: 'jazz evening', publishedAt: 9 },
          { id: 'two', title: 'jazz concert', publishedAt: 5 },
          { id: 'three', title: 'jazz concert paris', publishedAt: 1 },
          { id: 'other', title: 'concert paris', publishedAt: 7 },
        );
        await expectHits('jazz', ['one', 'two', 'three']);
        await expectHits('jazz concert', ['two', 'three', 'one']);
        await expectHits('jazz concert paris', ['three', 'two', 'one']);
        await expectHits('jazz concert paris zebra', ['three', 'two', 'one']);
      });

      it('takes signs of a query language for nothing but separators', async () => {
        await write({ id: 'both', title: 'red green' }, { id: 'red', title: 'red blue' });
        expect(await idsOf('"red')).to.have.members(['both', 'red']);
        expect(await idsOf('red -green')).to.deep.equal(['both', 'red']);
        expect(await idsOf("red' | !green & (blue:*")).to.have.members(['both', 'red']);
        expect(await idsOf('red \\')).to.have.members(['both', 'red']);
      });

      it('lists everything for a text without a word', async () => {
        await write({ id: 'a', title: 'x', publishedAt: 1 }, { id: 'b', title: 'y', publishedAt: 2 });
        for (const text of [undefined, '', '   ', '*', '!?', '"']) await expectHits({ text }, ['b', 'a']);
      });

      it('copes with very long texts and queries of many words', async () => {
        const letters = 'x'.repeat(300);
        const many = Array.from({ length: 60 }, (_, word) => `word${word}`).join(' ');
        await write({ id: 'long', title: `${letters} ${many}`, description: `${many} `.repeat(200) });
        await expectHits(letters, ['long']);
        await expectHits(many, ['long']);
        await expectHits(`${many} nothing*`, ['long']);
      });
    });

    describe('filters', () => {
      it('filters by one value, several, none of several, all of several, and bounds', async () => {
        await write(
          { id: 'a', name: 'a', ownerId: 'o1', visible: true, licenseType: 'FREE', tags: ['red', 'blue'], size: 5 },
          { id: 'b', name: 'b', ownerId: 'o1', visible: false, licenseType: 'CREATIVE_COMMONS', tags: ['red'], size: 50 },
          { id: 'c', name: 'c', ownerId: 'o2', visible: true, tags: [], size: 500 },
          { id: 'd', name: 'd', ownerId: 'o3', visible: true, licenseType: null },
        );
        expect(await filtered({ ownerId: { equal: 'o1' } })).to.deep.equal(['a', 'b']);
        expect(await filtered({ visible: { equal: true } })).to.deep.equal(['a', 'c', 'd']);
        expect(await filtered({ visible: { equal: false }, ownerId: { equal: 'o1' } })).to.deep.equal(['b']);
        expect(await filtered({ ownerId: { in: ['o2', 'o3'] } })).to.deep.equal(['c', 'd']);
        expect(await filtered({ ownerId: { in: [] } })).to.deep.equal([]);
        expect(await filtered({ ownerId: { notIn: ['o2', 'o3'] } })).to.deep.equal(['a', 'b']);
        expect(await filtered({ licenseType: { notIn: ['FREE'] } })).to.deep.equal(['b', 'c', 'd']);
        expect(await filtered({ ownerId: { notIn: [] } })).to.deep.equal(['a', 'b', 'c', 'd']);
        expect(await filtered({ tags: { all: ['red'] } })).to.deep.equal(['a', 'b']);
        expect(await filtered({ tags: { all: ['blue', 'red'] } })).to.deep.equal(['a']);
        expect(await filtered({ tags: { equal: 'blue' } })).to.deep.equal(['a']);
        expect(await filtered({ tags: { all: [] } })).to.deep.equal(['a', 'b', 'c', 'd']);
        expect(await filtered({ size: { atLeast: 50 } })).to.deep.equal(['b', 'c']);
        expect(await filtered({ size: { atLeast: 5, atMost: 50 } })).to.deep.equal(['a', 'b']);
        expect(await filtered({ size: { equal: 500 } })).to.deep.equal(['c']);
      });

      it('compares values without case and as a whole', async () => {
        await write({ id: 'a', name: 'a', ownerId: 'Mario.Rossi', tags: ['New York', ' Größe '] }, { id: 'b', name: 'b', ownerId: 'mario', tags: ['York'] });
        expect(await filtered({ ownerId: { equal: 'mario.ROSSI' } })).to.deep.equal(['a']);
        expect(await filtered({ ownerId: { equal: 'mario' } })).to.deep.equal(['b']);
        expect(await filtered({ tags: { all: ['new york'] } })).to.deep.equal(['a']);
        expect(await filtered({ tags: { all: ['york'] } })).to.deep.equal(['b']);
        expect(await filtered({ tags: { all: ['GRÖSSE'] } })).to.deep.equal([]);
        expect(await filtered({ tags: { all: ['GRÖßE'] } })).to.deep.equal(['a']);
      });

      it('takes any text for a value, never for an expression', async () => {
        const hostile = [
          '"', "'", '\\', '\\"', '%', '%22', 'a\\', "x' OR 'a'='a", 'x" OR visible = true OR tags = "', '] OR visible = true',
          '$1', '{"a":1}', '\n', 'a\u0001b', 'NULL', '*', '🎬', 'x'.repeat(900), `${'x'.repeat(900)}y`, 'é'.repeat(300),
        ];
        await write(...hostile.map((tag, number) => ({ id: `h${number}`, name: `h${number}`, visible: true, tags: [tag, 'hostile'] })));
        for (const [number, tag] of hostile.entries()) {
          if (tag.trim() === '') continue;
          expect(await filtered({ tags: { all: [tag] } }), JSON.stringify(tag)).to.deep.equal([`h${number}`]);
          expect(await filtered({ tags: { in: [tag, 'absent'] } }), JSON.stringify(tag)).to.deep.equal([`h${number}`]);
          expect(await filtered({ tags: { all: [tag, 'hostile'] }, visible: { equal: false } }), JSON.stringify(tag)).to.deep.equal([]);
        }
      });

      it('joins filters and words', async () => {
        await write(
          { id: 'a', title: 'sea', ownerId: 'o1', publishedAt: 1 },
          { id: 'b', title: 'sea', ownerId: 'o2', publishedAt: 2 },
          { id: 'c', title: 'land', ownerId: 'o1', publishedAt: 3 },
        );
        await expectHits({ text: 'sea', filters: { ownerId: { equal: 'o1' } } }, ['a']);
        await expectHits({ text: 'sea', filters: { ownerId: undefined } }, ['b', 'a']);
      });

      it('refuses names that the definition does not know', async () => {
        const refused = async (query: Query) => {
          const error = await find(query).then(() => null, (reason: unknown) => reason);
          expect(error, JSON.stringify(query)).to.be.instanceOf(Error);
        };
        await refused({ filters: { secret: { equal: 'x' } } });
        await refused({ sort: ['secret'] });
        await refused({ groups: ['secret'], text: 'x' });
      });
    });

    describe('order and pages', () => {
      it('sorts by numbers and texts, up and down, what has no value at the end', async () => {
        await write(
          { id: 'a', publishedAt: 100, name: 'Zebra' },
          { id: 'b', publishedAt: 20, name: 'apple' },
          { id: 'c', publishedAt: 3, name: 'Mango' },
          { id: 'd' },
        );
        expect(await idsOf({ sort: ['publishedAt'] })).to.deep.equal(['c', 'b', 'a', 'd']);
        expect(await idsOf({ sort: ['-publishedAt'] })).to.deep.equal(['a', 'b', 'c', 'd']);
        expect(await idsOf({ sort: ['name'] })).to.deep.equal(['b', 'c', 'a', 'd']);
        expect(await idsOf({ sort: ['-name'] })).to.deep.equal(['a', 'c', 'b', 'd']);
      });

      it('breaks the last tie by id', async () => {
        await write(...['c', 'a', 'd', 'b'].map((id) => ({ id, title: 'same', publishedAt: 1 })));
        expect(await idsOf({})).to.deep.equal(['a', 'b', 'c', 'd']);
        expect(await idsOf('same')).to.deep.equal(['a', 'b', 'c', 'd']);
      });

      it('counts exactly and pages beyond a thousand hits', async () => {
        const ids = Array.from({ length: 1200 }, (_, number) => `d${String(number).padStart(4, '0')}`);
        await write(...ids.map((id, number) => ({ id, title: 'common', userCode: 'common', publishedAt: number })));
        for (const text of ['common', undefined]) {
          const sort = ['publishedAt'];
          expect(await find({ text, sort, pageSize: 3 })).to.deep.equal({ ids: ids.slice(0, 3), totalCount: 1200 });
          expect(await find({ text, sort, pageSize: 7, pageIndex: 150 })).to.deep.equal({ ids: ids.slice(1050, 1057), totalCount: 1200 });
          expect(await find({ text, sort, pageSize: 100, pageIndex: 12 })).to.deep.equal({ ids: [], totalCount: 1200 });
          expect(await find({ text, sort, pageSize: 100, pageIndex: Number.MAX_SAFE_INTEGER })).to.deep.equal({ ids: [], totalCount: 1200 });
          expect(await find({ text, sort, pagination: false, pageSize: 3, pageIndex: 5 })).to.deep.equal({ ids: ids.slice(0, 1000), totalCount: 1200 });
        }
        expect(await opened.engine.ids(catalogue, 'd0998', 3)).to.deep.equal(['d0999', 'd1000', 'd1001']);
      });
    });

    describe('writing', () => {
      it('replaces and removes documents', async () => {
        await write({ id: 'a', title: 'first', ownerId: 'o1' }, { id: 'b', title: 'first' });
        await opened.engine.write(catalogue, [{ id: 'a', title: 'second' }], ['b', 'never-there']);
        await expectHits('first', []);
        await expectHits('second', ['a']);
        expect(await filtered({ ownerId: { equal: 'o1' } })).to.deep.equal([]);
        await opened.engine.write(catalogue, [], ['a']);
        await expectHits({}, []);
        await opened.engine.write(catalogue, [], []);
      });

      it('may write and remove the same twice', async () => {
        await write({ id: 'a', title: 'again' });
        await write({ id: 'a', title: 'again' });
        await expectHits('again', ['a']);
        await opened.engine.write(catalogue, [], ['a']);
        await opened.engine.write(catalogue, [], ['a']);
        await expectHits('again', []);
      });

      it('keeps what it holds when it is prepared again', async () => {
        await write({ id: 'a', title: 'kept' });
        await opened.engine.prepare([catalogue]);
        await expectHits('kept', ['a']);
      });

      it('gives its ids in order, page by page', async () => {
        await write(...['b', 'e', 'a', 'd', 'c'].map((id) => ({ id, title: id })));
        expect(await opened.engine.ids(catalogue, null, 2)).to.deep.equal(['a', 'b']);
        expect(await opened.engine.ids(catalogue, 'b', 2)).to.deep.equal(['c', 'd']);
        expect(await opened.engine.ids(catalogue, 'd', 2)).to.deep.equal(['e']);
        expect(await opened.engine.ids(catalogue, 'e', 2)).to.deep.equal([]);
      });

      it('rebuilds aside and swaps without a moment of absence', async () => {
        await write({ id: 'old', title: 'common' }, { id: 'both', title: 'common' });
        const seen: (readonly string[])[] = [];
        async function* documents(): AsyncGenerator<SearchDocument[]> {
          yield [{ id: 'both', title: 'common' }];
          seen.push((await find('common')).ids);
          yield [{ id: 'new', title: 'common' }];
          seen.push((await find('common')).ids);
        }
        let building = true;
        const watching = (async () => {
          while (opened.live && building) seen.push((await find('common')).ids);
        })();
        await opened.engine.rebuild(catalogue, documents());
        building = false;
        await watching;
        expect(seen.length).to.be.at.least(2);
        for (const ids of seen) expect(ids.join()).to.be.oneOf(['both,old', 'both,new']);
        await expectHits('common', ['both', 'new']);
        await write({ id: 'later', title: 'common' });
        await expectHits('common', ['both', 'later', 'new']);
      });

      it('rebuilds to nothing, and leaves the present build when a rebuild fails', async () => {
        await write({ id: 'a', title: 'kept' });
        async function* failing(): AsyncGenerator<SearchDocument[]> {
          yield [{ id: 'b', title: 'kept' }];
          throw new Error('rows could not be read');
        }
        const error = await opened.engine.rebuild(catalogue, failing()).then(() => null, (reason: unknown) => reason);
        expect(String(error)).to.contain('rows could not be read');
        await expectHits('kept', ['a']);
        await opened.engine.rebuild(catalogue, (async function* nothing() {})());
        await expectHits('kept', []);
      });

      it('answers the check', async () => {
        await opened.engine.check();
      });
    });
  });
}
