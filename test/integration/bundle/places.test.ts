import { expect } from 'chai';
import { vodIndex } from '../../../shared/vod/vod.index.js';
import { refusedFields } from '../../support/responses.js';
import type { SeedOptions } from '../../support/contents.js';
import { registerDealer } from '../../support/dealers.js';
import { drainSearch } from '../../support/drainSearch.js';
import { newBundle, openStage, type Stage } from './bundling.js';
import { editsOf, filledBundle, newBox, orderIn, type FilledBundle } from './ordering.js';

const [a, b, c, d] = [0, 1, 2, 3] as const;

describe('The places of items in a bundle', () => {
  let stage: Stage;
  let bundleId: string;
  let bundle: FilledBundle['bundle'];
  let boxIds: FilledBundle['boxIds'];

  before(async () => {
    stage = await openStage({ ACCESS_TOKEN_SECONDS: String(100 * 86_400) });
  });
  after(() => stage?.close());

  beforeEach(async () => {
    ({ bundleId, bundle, boxIds } = await filledBundle(stage));
  });

  const box = (title: string, options: SeedOptions = {}, ownerId = stage.publisher.userId) =>
    newBox(stage, title, options, ownerId);

  const read = (path: string, token = stage.publisher.token) => stage.api.call('GET', path, { token });

  describe('moving', () => {
    const moves: readonly [number, number, readonly number[]][] = [
      [0, 2, [b, a, c]],
      [0, 3, [b, c, a]],
      [2, 0, [c, a, b]],
      [2, 1, [a, c, b]],
      [1, 1, [a, b, c]],
      [1, 2, [a, b, c]],
    ];
    for (const [fromIndex, toIndex, order] of moves) {
      it(`from ${fromIndex} to ${toIndex} puts it before what stood there`, async () => {
        const { body } = await bundle.move(fromIndex, toIndex);
        expect(orderIn({ body } as never)).to.deep.equal(order.map((one) => boxIds[one as 0]));
        expect((await bundle.items()).body).to.deep.equal(body);
      });
    }

    const refusals: readonly [string, object, string[]][] = [
      ['no index to move from', { fromIndex: undefined }, ['fromIndex required']],
      ['no index to move to', { toIndex: undefined }, ['toIndex required']],
      ['indexes below 0', { fromIndex: -1, toIndex: -1 }, ['fromIndex minimum', 'toIndex minimum']],
      ['an item that is not there', { fromIndex: 3 }, ['fromIndex outOfRange']],
      ['a place that is not there', { toIndex: 4 }, ['toIndex outOfRange']],
      ['neither there', { fromIndex: 3, toIndex: 4 }, ['fromIndex outOfRange', 'toIndex outOfRange']],
      ['a word', { toIndex: 'end' }, ['toIndex number']],
    ];
    for (const [name, members, refused] of refusals) {
      it(`is refused with ${name}`, async () => {
        expect(refusedFields(await bundle.edit('move', { fromIndex: 0, toIndex: 1, ...members }))).to.deep.equal(
          refused,
        );
        expect(orderIn(await bundle.items())).to.deep.equal(boxIds.slice(0, 3));
      });
    }
  });

  describe('removing', () => {
    it('takes out a run of items, and unpublishes them', async () => {
      const { items } = (await bundle.items()).body;
      expect(orderIn(await bundle.remove(0, 2))).to.deep.equal([boxIds[c]]);
      for (const { vodId, boxId } of items.slice(0, 2)) {
        expect((await read(`/api/vod/${vodId}`)).status).to.equal(404);
        expect((await read(`/api/box/${boxId}`)).body.vodCount).to.equal(0);
      }
      expect(await bundle.rows()).to.deep.equal([{ place: 0, boxId: boxIds[c] }]);
    });

    it('and inserting change what is found on demand', async () => {
      const found = async () => {
        await drainSearch(stage.ctx);
        const page = { pageSize: 20, pageIndex: 0, pagination: true };
        const filters = { bundleId: { equal: bundleId } };
        const query = { text: undefined, groups: [], filters, sort: ['-publishedAt'], page };
        return (await stage.ctx.search.query(vodIndex, query)).totalCount;
      };
      expect(await found()).to.equal(3);
      await bundle.insert(0, [boxIds[d]]);
      expect(await found()).to.equal(4);
      await bundle.remove(0, 3);
      expect(await found()).to.equal(1);
    });

    const refusals: readonly [string, object, string][] = [
      ['no index', { index: undefined }, 'index required'],
      ['no count', { count: undefined }, 'count required'],
      ['an index below 0', { index: -1 }, 'index minimum'],
      ['a count of nothing', { count: 0 }, 'count minimum'],
      ['an item that is not there', { index: 3 }, 'index outOfRange'],
      ['more than there are', { index: 1, count: 3 }, 'count outOfRange'],
    ];
    for (const [name, members, refused] of refusals) {
      it(`is refused with ${name}`, async () => {
        expect(refusedFields(await bundle.edit('remove', { index: 0, count: 1, ...members }))).to.deep.equal([refused]);
        expect(orderIn(await bundle.items())).to.deep.equal(boxIds.slice(0, 3));
      });
    }
  });

  describe('in public', () => {
    it('are hidden when switched off, expired, or without content; the owner sees them', async () => {
      const hide: Readonly<Record<number, () => Promise<unknown>>> = {
        [a]: () => change('UPDATE vod_items SET public = false WHERE box_item_id = $id', boxIds[a]),
        [b]: () => change('UPDATE box_items SET expires_at = $now WHERE id = $id', boxIds[b]),
        [c]: () =>
          change(
            `UPDATE contents SET state = 'FAILED' WHERE id = (SELECT content_id FROM box_items WHERE id = $id)`,
            boxIds[c],
          ),
      };
      const change = (sql: string, id: string) =>
        stage.ctx.db.change(sql, { id, ...(sql.includes('$now') ? { now: stage.ctx.clock.now() } : {}) });
      const left = boxIds.slice(0, 3);
      for (const one of [a, b, c]) {
        await hide[one]?.();
        left.shift();
        const response = await bundle.publicItems();
        expect(orderIn(response)).to.deep.equal(left);
        expect(response.body.bundle.itemCount).to.equal(left.length);
        expect((await read(`/api/public/contentbundle/${bundleId}`)).body.itemCount).to.equal(left.length);
      }
      expect(orderIn(await bundle.items())).to.deep.equal(boxIds.slice(0, 3));
    });

    it('are there for a publisher whose VOD is not searched, and not for one who is disabled', async () => {
      const other = await registerDealer(stage.api);
      const theirs = editsOf(stage, await newBundle(stage.api, other), other);
      await theirs.insert(0, [await box('Z', {}, other.userId)]);
      await stage.ctx.db.change('UPDATE users SET vod_public = false WHERE id = $id', { id: other.userId });
      expect((await theirs.publicItems()).body.items).to.have.lengthOf(1);
      await stage.api.call('POST', '/api/user/me/disable', { token: other.token });
      expect((await theirs.publicItems()).status).to.equal(404);
    });
  });

  describe('by the door of VOD', () => {
    it('come last when published, and leave no gap when they go', async () => {
      const published = await stage.api.call('POST', `/api/box/${boxIds[d]}/vod`, {
        token: stage.publisher.token,
        body: { licenseType: 'CONTENT_BUNDLE', bundleId },
      });
      expect(published.status, published.text).to.equal(201);
      const { items } = (await bundle.items()).body;
      expect(items[3].vodId).to.equal(published.body.vodId);
      const gone = await stage.api.call('DELETE', `/api/vod/${items[1].vodId}`, { token: stage.publisher.token });
      expect(gone.status).to.equal(204);
      expect(await bundle.rows()).to.deep.equal(
        [boxIds[a], boxIds[c], boxIds[d]].map((boxId, place) => ({ place, boxId })),
      );
    });

    it('keep their box item from being deleted', async () => {
      const deletion = () => stage.api.call('DELETE', `/api/box/${boxIds[a]}`, { token: stage.publisher.token });
      expect((await deletion()).status).to.equal(409);
      await bundle.remove(0, 1);
      expect((await deletion()).status).to.equal(204);
    });

    it('cannot pass a deletion of the box item', async () => {
      for (let round = 0; round < 5; round += 1) {
        const boxId = await box('Race');
        const [insertion, deletion] = await Promise.all([
          bundle.insert(0, [boxId]),
          stage.api.call('DELETE', `/api/box/${boxId}`, { token: stage.publisher.token }),
        ]);
        expect([
          [200, 409],
          [404, 204],
        ]).to.deep.include([insertion.status, deletion.status]);
      }
    });
  });
});
