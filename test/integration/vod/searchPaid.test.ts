import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { bodyOf } from '../../support/responses.js';
import { drainSearch } from '../../support/drainSearch.js';
import { daysPass, inBundle, openShop, perView, type PublishedItem } from './shop.js';
import { changeRow } from '../../support/rows.js';
import { BoxItem } from '../../../shared/box/box.model.js';
import { useFixture } from '../../support/fixtures.js';

describe('POST /api/search/vod/contents and /api/public/search/vod/contents of paid items', () => {
  const shop = useFixture(() => openShop(daysPass));
  let alps: string;
  let coast: string;
  const names = new Map<string, string>();

  before(async () => {
    alps = await shop.newBundle({ name: 'Alps', description: 'Glaciers', tags: ['summit'] });
    coast = await shop.newBundle({ name: 'Coast' });
    await add('free', { licenseType: 'FREE' }, 'A glacier, free');
    await add('video', perView, 'A video');
    await add('peak', inBundle(alps), 'Peak');
    await add('beach', inBundle(coast), 'Beach');
    await drained();
  });

  async function add(name: string, conditions: object, title: string): Promise<PublishedItem> {
    shop.ctx.clock.advance(1000);
    const item = await shop.published(conditions, { title });
    names.set(item.vodId, name);
    return item;
  }

  const drained = () => drainSearch(shop.ctx);

  async function search(body: object, privately = false) {
    const [path, token] = privately ? ['/api', shop.publisher.token] : ['/api/public', shop.anybody];
    return bodyOf(200, await shop.api.call('POST', `${path}/search/vod/contents`, { token, body }));
  }
  const find = async (body: object, privately = false): Promise<(string | undefined)[]> =>
    (await search(body, privately)).items.map(({ vodId }: { vodId: string }) => names.get(vodId));

  it('filters by license type and by bundle', async () => {
    for (const privately of [false, true]) {
      const of = (conditions: object) => find({ conditions }, privately);
      expect(await of({ licenseType: 'PAY_PER_VIEW' })).to.deep.equal(['video']);
      expect(await of({ licenseType: 'CONTENT_BUNDLE' })).to.deep.equal(['beach', 'peak']);
      expect(await of({ licenseType: 'CONTENT_BUNDLE', bundleId: alps })).to.deep.equal(['peak']);
      expect(await of({ licenseType: 'CONTENT_BUNDLE', bundleId: alps.toUpperCase() })).to.deep.equal(['peak']);
      expect(await of({ licenseType: 'CONTENT_BUNDLE', bundleId: randomUUID() })).to.deep.equal([]);
    }
  });

  it('returns price and bundle as a read does', async () => {
    for (const [privately, path, token] of [
      [false, '/api/public/vod', shop.anybody],
      [true, '/api/vod', shop.publisher.token],
    ] as const) {
      for (const item of (await search({}, privately)).items)
        expect(item).to.deep.equal((await shop.api.call('GET', `${path}/${item.vodId}`, { token })).body);
    }
  });

  it('ranks matches in the bundle last, and ignores them with `bundleId`', async () => {
    for (const privately of [false, true]) {
      expect(await find({ queryString: 'glacier' }, privately)).to.deep.equal(['free', 'peak']);
      expect(await find({ queryString: 'alps' }, privately)).to.deep.equal(['peak']);
      expect(await find({ queryString: 'summit' }, privately)).to.deep.equal(['peak']);
      const conditions = { licenseType: 'CONTENT_BUNDLE', bundleId: alps };
      expect(await find({ queryString: 'alps', conditions }, privately)).to.deep.equal([]);
      expect(await find({ queryString: 'peak', conditions }, privately)).to.deep.equal(['peak']);
    }
  });

  it('reflects changes of the bundle and of its items', async () => {
    const renamed = { name: 'Dolomites', price: '12,50', duration: 1, durationUnit: 'MONTHS' };
    const path = `/api/contentbundle/${alps}`;
    bodyOf(200, await shop.api.call('POST', path, { token: shop.publisher.token, body: renamed }));
    const video = [...names].find(([, name]) => name === 'video')?.[0] ?? '';
    bodyOf(200, await shop.update(video, inBundle(alps)));
    await drained();
    expect(await find({ queryString: 'dolomites' })).to.have.members(['peak', 'video']);
    expect(await find({ queryString: 'alps' })).to.deep.equal([]);
    bodyOf(200, await shop.update(video, perView));
    await drained();
    expect(await find({ queryString: 'dolomites' })).to.deep.equal(['peak']);
  });

  it('returns an acquired item in public until its license ends, and to its owner also later', async () => {
    const { boxId } = await shop.acquired({ licenseType: 'FREE', duration: 1, durationUnit: 'DAYS' });
    const { vodId } = bodyOf(201, await shop.publish(boxId, { licenseType: 'FREE' }));
    names.set(vodId, 'acquired');
    await drained();
    const licensed = { queryString: 'licensed' };
    shop.ctx.clock.advance(86_400_000 - 1);
    expect(await find(licensed)).to.deep.equal(['acquired']);
    shop.ctx.clock.advance(1);
    expect(await search(licensed)).to.include({ totalCount: 0, pageCount: 0 });
    expect(await find(licensed, true)).to.deep.equal(['acquired']);
  });

  it('hides expired items, also if the index is outdated', async () => {
    const { boxId } = await add('ephemeral', { licenseType: 'FREE' }, 'Ephemeral');
    await drained();
    expect(await find({ queryString: 'ephemeral' })).to.deep.equal(['ephemeral']);
    await changeRow(shop.ctx, BoxItem, boxId, { expiresAt: shop.ctx.clock.now() });
    expect(await find({ queryString: 'ephemeral' })).to.deep.equal([]);
  });
});
