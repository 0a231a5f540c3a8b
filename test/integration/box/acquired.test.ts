import { expect } from 'chai';
import { seedBoxItem } from '../../support/contents.js';
import { eventually } from '../../support/eventually.js';
import { free, marketFixture } from '../../support/marketplace.js';
import { startWorkers } from '../../support/workers.js';
import { useFixture } from '../../support/fixtures.js';

describe('acquired box items', () => {
  const market = marketFixture();
  useFixture(() => startWorkers(market.ctx, { queues: ['search-sync'] }));

  const search = async (body: object) => {
    const response = await market.call('POST', '/api/search/box/contents', body);
    expect(response.status, response.text).to.equal(200);
    return response.body.items;
  };
  const find = async (body: object): Promise<string[]> =>
    (await search(body)).map((item: { boxId: string }) => item.boxId);

  it('are found by source and license type, and contain their license', async () => {
    const uploaded = await seedBoxItem(market.ctx, market.acquirer.userId, { title: 'Mine' });
    const acquired = new Map<string, { boxId: string; marketplaceLicense: object }>();
    for (const conditions of [
      { ...free, duration: 1, durationUnit: 'DAYS' },
      { licenseType: 'REVENUE_SHARING', earningPercentage: 30 },
    ]) {
      market.ctx.clock.advance(1000);
      const { marketplaceId } = await market.offer(conditions);
      acquired.set(conditions.licenseType, await market.acquired(marketplaceId));
    }
    const [ofFree, ofShares] = [acquired.get('FREE'), acquired.get('REVENUE_SHARING')];
    const source = 'MARKET_PLACE';
    await eventually(async () => expect(await find({})).to.have.length(3));
    expect(await search({ source })).to.deep.equal([ofShares, ofFree]);
    expect(await find({ source: 'UPLOAD' })).to.deep.equal([uploaded.boxId]);
    expect(await find({ source, conditions: { licenseType: 'FREE' } })).to.deep.equal([ofFree?.boxId]);
    expect(await find({ source, conditions: { licenseType: 'REVENUE_SHARING' } })).to.deep.equal([ofShares?.boxId]);
    expect(await find({ source, conditions: { licenseType: 'SPOT_PRICE' } })).to.deep.equal([]);
    expect(await find({ source, conditions: { licenseType: '' } })).to.have.length(2);
  });

  it('are found by the new license after a renewal', async () => {
    const { marketplaceId } = await market.offer({ ...free, duration: 1, durationUnit: 'DAYS' });
    const { boxId } = await market.acquired(marketplaceId);
    const path = `/api/marketplace/${marketplaceId}`;
    await market.call('POST', path, { licenseType: 'CREATIVE_COMMONS', ccType: 'BY' }, market.seller);
    market.ctx.clock.advance(86_400_000);
    expect((await market.acquired(marketplaceId)).boxId).to.equal(boxId);
    const body = { source: 'MARKET_PLACE', conditions: { licenseType: 'CREATIVE_COMMONS' } };
    await eventually(async () => expect(await find(body)).to.deep.equal([boxId]));
  });

  it('play, and the response contains their license', async () => {
    const { marketplaceId } = await market.offer();
    const item = await market.acquired(marketplaceId);
    const { body } = await market.call('POST', `/api/box/${item.boxId}/play`);
    expect(body.resource).to.deep.equal(item);
  });
});
