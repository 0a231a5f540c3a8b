import { expect } from 'chai';
import { vodIndex } from '../../../shared/vod/vod.index.js';
import { rejectedFields } from '../../support/responses.js';
import { drainSearch } from '../../support/drainSearch.js';
import { bundlesFixture } from './bundles.js';
import { filledBundle, orderIn, type FilledBundle } from './bundleItems.js';

const [c, d] = [2, 3] as const;

describe('POST /api/contentbundle/{bundleId}/items/remove', () => {
  const fixture = bundlesFixture();
  const { ctx, api, publisher } = fixture;
  let bundleId: string;
  let bundle: FilledBundle['bundle'];
  let boxIds: FilledBundle['boxIds'];

  beforeEach(async () => {
    ({ bundleId, bundle, boxIds } = await filledBundle(fixture));
  });

  const read = (path: string, token = publisher.token) => api.call('GET', path, { token });

  it('200 without the removed items, which are unpublished', async () => {
    const { items } = (await bundle.items()).body;
    expect(orderIn(await bundle.remove(0, 2))).to.deep.equal([boxIds[c]]);
    for (const { vodId, boxId } of items.slice(0, 2)) {
      expect((await read(`/api/vod/${vodId}`)).status).to.equal(404);
      expect((await read(`/api/box/${boxId}`)).body.vodCount).to.equal(0);
    }
    expect(await bundle.rows()).to.deep.equal([{ place: 0, boxId: boxIds[c] }]);
  });

  it('insert and remove change the VOD search', async () => {
    const found = async () => {
      await drainSearch(ctx);
      const page = { pageSize: 20, pageIndex: 0, pagination: true };
      const filters = { bundleId: { equal: bundleId } };
      const query = { text: undefined, groups: [], filters, sort: ['-publishedAt'], page };
      return (await ctx.search.query(vodIndex, query)).totalCount;
    };
    expect(await found()).to.equal(3);
    await bundle.insert(0, [boxIds[d]]);
    expect(await found()).to.equal(4);
    await bundle.remove(0, 3);
    expect(await found()).to.equal(1);
  });

  const cases: readonly [string, object, string][] = [
    ['no index', { index: undefined }, 'index required'],
    ['no count', { count: undefined }, 'count required'],
    ['an index below 0', { index: -1 }, 'index minimum'],
    ['a count of 0', { count: 0 }, 'count minimum'],
    ['an index beyond the end', { index: 3 }, 'index outOfRange'],
    ['a count beyond the end', { index: 1, count: 3 }, 'count outOfRange'],
  ];
  for (const [name, members, refused] of cases) {
    it(`400 for ${name}`, async () => {
      expect(rejectedFields(await bundle.edit('remove', { index: 0, count: 1, ...members }))).to.deep.equal([refused]);
      expect(orderIn(await bundle.items())).to.deep.equal(boxIds.slice(0, 3));
    });
  }
});
