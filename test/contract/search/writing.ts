import { expect } from 'chai';
import { digestOf } from '../../../shared/platform/search/digest.js';
import type { SearchDocument } from '../../../shared/platform/search/search.js';
import { catalogue, type Asking } from './asking.js';

export function writingContract(asking: Asking): void {
  describe('writing', () => {
    it('replaces and removes documents', async () => {
      await asking.write({ id: 'a', title: 'first', ownerId: 'o1' }, { id: 'b', title: 'first' });
      await asking.engine.write(catalogue, [{ id: 'a', title: 'second' }], ['b', 'never-there']);
      await asking.expectHits('first', []);
      await asking.expectHits('second', ['a']);
      expect(await asking.filtered({ ownerId: { equal: 'o1' } })).to.deep.equal([]);
      await asking.engine.write(catalogue, [], ['a']);
      await asking.expectHits({}, []);
      await asking.engine.write(catalogue, [], []);
    });

    it('may write and remove the same twice', async () => {
      await asking.write({ id: 'a', title: 'again' });
      await asking.write({ id: 'a', title: 'again' });
      await asking.expectHits('again', ['a']);
      await asking.engine.write(catalogue, [], ['a']);
      await asking.engine.write(catalogue, [], ['a']);
      await asking.expectHits('again', []);
    });

    it('keeps what it holds when it is prepared again', async () => {
      await asking.write({ id: 'a', title: 'kept' });
      await asking.engine.prepare([catalogue]);
      await asking.expectHits('kept', ['a']);
    });

    it('gives its ids in order, page by page', async () => {
      await asking.write(...['b', 'e', 'a', 'd', 'c'].map((id) => ({ id, title: id })));
      expect(await asking.heldIds(null, 2)).to.deep.equal(['a', 'b']);
      expect(await asking.heldIds('b', 2)).to.deep.equal(['c', 'd']);
      expect(await asking.heldIds('d', 2)).to.deep.equal(['e']);
      expect(await asking.heldIds('e', 2)).to.deep.equal([]);
    });

    it('keeps with each document the digest of what it was written from', async () => {
      const [first, second] = [
        { id: 'a', title: 'first', tags: ['x', 'y'] },
        { id: 'a', title: 'second' },
      ];
      const held = async () => asking.engine.held(catalogue, null, 9);
      await asking.write(first);
      expect(await held()).to.deep.equal([{ id: 'a', digest: digestOf(catalogue, first) }]);
      await asking.write(second);
      expect(await held()).to.deep.equal([{ id: 'a', digest: digestOf(catalogue, second) }]);
      await asking.engine.rebuild(
        catalogue,
        (async function* documents() {
          yield [first];
        })(),
      );
      expect(await held()).to.deep.equal([{ id: 'a', digest: digestOf(catalogue, first) }]);
    });

    it('rebuilds aside and swaps without a moment of absence', async () => {
      await asking.write({ id: 'old', title: 'common' }, { id: 'both', title: 'common' });
      const seen: (readonly string[])[] = [];
      async function* documents(): AsyncGenerator<SearchDocument[]> {
        yield [{ id: 'both', title: 'common' }];
        seen.push((await asking.find('common')).ids);
        yield [{ id: 'new', title: 'common' }];
        seen.push((await asking.find('common')).ids);
      }
      let building = true;
      const watching = (async () => {
        while (asking.live && building) seen.push((await asking.find('common')).ids);
      })();
      await asking.engine.rebuild(catalogue, documents());
      building = false;
      await watching;
      expect(seen.length).to.be.at.least(2);
      for (const ids of seen) expect(ids.join()).to.be.oneOf(['both,old', 'both,new']);
      await asking.expectHits('common', ['both', 'new']);
      await asking.write({ id: 'later', title: 'common' });
      await asking.expectHits('common', ['both', 'later', 'new']);
    });

    it('rebuilds to nothing, and leaves the present build when a rebuild fails', async () => {
      await asking.write({ id: 'a', title: 'kept' });
      async function* failing(): AsyncGenerator<SearchDocument[]> {
        yield [{ id: 'b', title: 'kept' }];
        throw new Error('rows could not be read');
      }
      const error = await asking.engine.rebuild(catalogue, failing()).then(
        () => null,
        (reason: unknown) => reason,
      );
      expect(String(error)).to.contain('rows could not be read');
      await asking.expectHits('kept', ['a']);
      await asking.engine.rebuild(catalogue, (async function* nothing() {})());
      await asking.expectHits('kept', []);
    });

    it('answers the check', async () => {
      await asking.engine.check();
    });
  });
}
