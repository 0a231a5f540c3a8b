import { expect } from 'chai';
import { digestOf } from '../../../shared/platform/search/digest.js';
import type { SearchDocument } from '../../../shared/platform/search/search.js';
import { catalogue, type EngineHarness } from './engineHarness.js';

export function writingContract(harness: EngineHarness): void {
  describe('writing', () => {
    it('replaces and removes documents', async () => {
      await harness.write({ id: 'a', title: 'first', ownerId: 'o1' }, { id: 'b', title: 'first' });
      await harness.engine.write(catalogue, [{ id: 'a', title: 'second' }], ['b', 'never-there']);
      await harness.expectHits('first', []);
      await harness.expectHits('second', ['a']);
      expect(await harness.filtered({ ownerId: { equal: 'o1' } })).to.deep.equal([]);
      await harness.engine.write(catalogue, [], ['a']);
      await harness.expectHits({}, []);
      await harness.engine.write(catalogue, [], []);
    });

    it('writes and removes idempotently', async () => {
      await harness.write({ id: 'a', title: 'again' });
      await harness.write({ id: 'a', title: 'again' });
      await harness.expectHits('again', ['a']);
      await harness.engine.write(catalogue, [], ['a']);
      await harness.engine.write(catalogue, [], ['a']);
      await harness.expectHits('again', []);
    });

    it('keeps documents when the index is prepared again', async () => {
      await harness.write({ id: 'a', title: 'kept' });
      await harness.engine.prepare([catalogue]);
      await harness.expectHits('kept', ['a']);
    });

    it('lists ids in order, page by page', async () => {
      await harness.write(...['b', 'e', 'a', 'd', 'c'].map((id) => ({ id, title: id })));
      expect(await harness.storedIds(null, 2)).to.deep.equal(['a', 'b']);
      expect(await harness.storedIds('b', 2)).to.deep.equal(['c', 'd']);
      expect(await harness.storedIds('d', 2)).to.deep.equal(['e']);
      expect(await harness.storedIds('e', 2)).to.deep.equal([]);
    });

    it('stores each document with its digest', async () => {
      const [first, second] = [
        { id: 'a', title: 'first', tags: ['x', 'y'] },
        { id: 'a', title: 'second' },
      ];
      const stored = async () => harness.engine.digests(catalogue, null, 9);
      await harness.write(first);
      expect(await stored()).to.deep.equal([{ id: 'a', digest: digestOf(catalogue, first) }]);
      await harness.write(second);
      expect(await stored()).to.deep.equal([{ id: 'a', digest: digestOf(catalogue, second) }]);
      await harness.engine.rebuild(
        catalogue,
        (async function* documents() {
          yield [first];
        })(),
      );
      expect(await stored()).to.deep.equal([{ id: 'a', digest: digestOf(catalogue, first) }]);
    });

    it('rebuilds and swaps while searches always see one build', async () => {
      await harness.write({ id: 'old', title: 'common' }, { id: 'both', title: 'common' });
      const seen: (readonly string[])[] = [];
      async function* documents(): AsyncGenerator<SearchDocument[]> {
        yield [{ id: 'both', title: 'common' }];
        seen.push((await harness.find('common')).ids);
        yield [{ id: 'new', title: 'common' }];
        seen.push((await harness.find('common')).ids);
      }
      let building = true;
      const watching = (async () => {
        while (harness.live && building) seen.push((await harness.find('common')).ids);
      })();
      await harness.engine.rebuild(catalogue, documents());
      building = false;
      await watching;
      expect(seen.length).to.be.at.least(2);
      for (const ids of seen) expect(ids.join()).to.be.oneOf(['both,old', 'both,new']);
      await harness.expectHits('common', ['both', 'new']);
      await harness.write({ id: 'later', title: 'common' });
      await harness.expectHits('common', ['both', 'later', 'new']);
    });

    it('rebuilds to an empty index and keeps the current build if a rebuild fails', async () => {
      await harness.write({ id: 'a', title: 'kept' });
      async function* failing(): AsyncGenerator<SearchDocument[]> {
        yield [{ id: 'b', title: 'kept' }];
        throw new Error('rows could not be read');
      }
      const error = await harness.engine.rebuild(catalogue, failing()).then(
        () => null,
        (reason: unknown) => reason,
      );
      expect(String(error)).to.contain('rows could not be read');
      await harness.expectHits('kept', ['a']);
      await harness.engine.rebuild(catalogue, (async function* nothing() {})());
      await harness.expectHits('kept', []);
    });

    it('responds to the check', () => harness.engine.check());
  });
}
