import { expect } from 'chai';
import { registerUser, type TestUser } from '../../support/api.js';
import { type SeedOptions, drainSearch } from '../../support/rows.js';
import { free, marketFixture, spotPrice } from './marketFixture.js';
import { useFixture } from '../../support/fixtures.js';

describe('POST /api/public/search/marketplace/contents', () => {
  const market = marketFixture();
  const ann = useFixture(() => market.seller);
  const bob = useFixture(() => registerUser(market.api, { firstName: 'Snow' }));
  const names = new Map<string, string>();

  before(async () => {
    await add('a1', ann, { title: 'Mountain river', tags: ['water', 'nature'] }, { ...free, download: true });
    await add('a2', ann, { title: 'Hidden river', tags: ['water'] }, spotPrice);
    await add('a3', ann, { title: 'Snow' }, { licenseType: 'CREATIVE_COMMONS', ccType: 'BY_SA', download: true });
    await add('b1', bob, { title: 'City lights', description: 'A river of cars' }, free);
    await add('b2', bob, { title: 'Desert', tags: ['nature'] }, { licenseType: 'CREATIVE_COMMONS', ccType: 'BY' });
    await drained();
  });

  async function add(name: string, seller: TestUser, item: SeedOptions, conditions: object): Promise<string> {
    market.ctx.clock.advance(1000);
    const { marketplaceId } = await market.offer(conditions, item, seller);
    names.set(marketplaceId, name);
    return marketplaceId;
  }

  const drained = () => drainSearch(market.ctx);

  const askPublic = (body: object) =>
    market.api.call('POST', '/api/public/search/marketplace/contents', { token: market.anybody.token, body });
  const askOwn = (body: object, as = ann) => market.call('POST', '/api/search/marketplace/contents', body, as);
  const namesIn = (response: { body: { items: { marketplaceId: string }[] } }) =>
    response.body.items.map(({ marketplaceId }) => names.get(marketplaceId));
  const find = async (body: object) => namesIn(await askPublic(body));
  const findOwn = async (body: object, as = ann) => namesIn(await askOwn(body, as));

  it('200: without a text, lists all public offers in pages, newest first', async () => {
    expect(await find({})).to.deep.equal(['b2', 'b1', 'a3', 'a2', 'a1']);
    const { body } = await askPublic({ pageSize: 2, pageIndex: 1 });
    expect(body).to.include({ pageSize: 2, pageIndex: 1, totalCount: 5, pageCount: 3 });
    expect(namesIn({ body })).to.deep.equal(['a3', 'a2']);
  });

  it('200: returns public items with the seller, and in private the seller’s own items', async () => {
    const [item] = (await askPublic({ queryString: 'mountain' })).body.items;
    const path = `marketplace/${item.marketplaceId}`;
    const shown = await market.api.call('GET', `/api/public/${path}`, { token: market.anybody.token });
    expect(item).to.deep.equal(shown.body);
    const [own] = (await askOwn({ queryString: 'mountain' })).body.items;
    expect(own).to.deep.equal((await market.call('GET', `/api/${path}`, undefined, ann)).body);
    expect(own).to.not.have.property('seller');
  });

  it('200: matches words in title, description and tags, then in the seller’s data', async () => {
    expect(await find({ queryString: 'river' })).to.have.members(['a1', 'a2', 'b1']);
    expect(await find({ queryString: 'nature' })).to.have.members(['a1', 'b2']);
    expect(await find({ queryString: 'snow' })).to.have.ordered.members(['a3', 'b2', 'b1']);
    expect(await find({ queryString: ann.userCode })).to.have.members(['a1', 'a2', 'a3']);
  });

  it('200: with a seller, matches only words of contents', async () => {
    expect(await find({ userCode: bob.userCode })).to.deep.equal(['b2', 'b1']);
    expect(await find({ userCode: bob.userCode.toUpperCase() })).to.deep.equal(['b2', 'b1']);
    expect(await find({ userCode: bob.userCode, queryString: 'snow' })).to.deep.equal([]);
    expect(await find({ userCode: 'nobody.at.all' })).to.deep.equal([]);
    expect(await find({ userCode: '' })).to.have.length(5);
  });

  it('200: excludes a user’s offers', async () => {
    expect(await find({ excludeUserCode: ann.userCode.toUpperCase() })).to.deep.equal(['b2', 'b1']);
    expect(await find({ excludeUserCode: bob.userCode, queryString: 'river' })).to.have.members(['a1', 'a2']);
    expect(await find({ excludeUserCode: 'nobody.at.all' })).to.have.length(5);
    expect(await find({ userCode: ann.userCode, excludeUserCode: bob.userCode })).to.deep.equal(['a3', 'a2', 'a1']);
    expect(await find({ userCode: ann.userCode, excludeUserCode: ann.userCode })).to.deep.equal([]);
  });

  it('200: filters by conditions and tags', async () => {
    const creativeCommons = { licenseType: 'CREATIVE_COMMONS' };
    expect(await find({ conditions: { licenseType: 'FREE' } })).to.deep.equal(['b1', 'a1']);
    expect(await find({ conditions: creativeCommons })).to.deep.equal(['b2', 'a3']);
    expect(await find({ conditions: { ...creativeCommons, ccType: 'BY' } })).to.deep.equal(['b2']);
    expect(await find({ conditions: { download: true } })).to.deep.equal(['a3', 'a1']);
    expect(await find({ conditions: { download: 'false', licenseType: 'FREE' } })).to.deep.equal(['b1']);
    expect(await find({ conditions: { licenseType: 'REVENUE_SHARING' } })).to.deep.equal([]);
    expect(await find({ conditions: {} })).to.have.length(5);
    expect(await find({ tags: ['water', 'nature'] })).to.deep.equal(['a1']);
    expect(await findOwn({ conditions: { download: true } })).to.deep.equal(['a3', 'a1']);
    expect(await findOwn({ conditions: { licenseType: 'SPOT_PRICE' }, queryString: 'river' })).to.deep.equal(['a2']);
  });

  it('200: returns the caller’s own offers in private', async () => {
    expect(await findOwn({})).to.deep.equal(['a3', 'a2', 'a1']);
    expect(await findOwn({}, bob)).to.deep.equal(['b2', 'b1']);
    expect(await findOwn({ queryString: 'river' }, bob)).to.deep.equal(['b1']);
    expect(await findOwn({ queryString: 'snow' }, bob)).to.deep.equal([]);
    expect(await findOwn({}, market.acquirer)).to.deep.equal([]);
  });

  it('200: reflects every change', async () => {
    const id = await add('x', ann, { title: 'Glacier' }, free);
    const { boxId } = (await market.call('GET', `/api/marketplace/${id}`, undefined, ann)).body;
    const finds = async (body: object, expected: string[]) => {
      await drained();
      expect(await find(body)).to.deep.equal(expected);
    };
    await finds({ queryString: 'glacier' }, ['x']);
    await market.call('POST', `/api/marketplace/${id}`, spotPrice, ann);
    await finds({ queryString: 'glacier', conditions: { licenseType: 'SPOT_PRICE' } }, ['x']);
    await market.call('POST', `/api/box/${boxId}`, { title: 'Iceberg' }, ann);
    await finds({ queryString: 'iceberg' }, ['x']);
    expect(await find({ queryString: 'glacier' })).to.deep.equal([]);
    await market.call('DELETE', `/api/marketplace/${id}`, undefined, ann);
    await finds({ queryString: 'iceberg' }, []);
    expect(await findOwn({ queryString: 'iceberg' })).to.deep.equal([]);
  });

  it('200: returns only items that the rows permit, also if the index is outdated', async () => {
    const id = await add('y', bob, { title: 'Ephemeral' }, free);
    await drained();
    expect(await find({ queryString: 'ephemeral' })).to.deep.equal(['y']);
    await market.ctx.db.change(
      `UPDATE contents SET state = 'FAILED' FROM box_items box JOIN marketplace_items offer ON offer.box_item_id = box.id
        WHERE contents.id = box.content_id AND offer.id = $id`,
      { id },
    );
    expect(await find({ queryString: 'ephemeral' })).to.deep.equal([]);
    expect(await findOwn({ queryString: 'ephemeral' }, bob)).to.deep.equal(['y']);
  });
});
