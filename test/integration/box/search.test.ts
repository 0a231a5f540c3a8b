import { expect } from 'chai';
import { eventually } from '../../support/eventually.js';
import { startWorkers } from '../../support/workers.js';
import { seedBoxItem } from '../../support/contents.js';
import { registerUser } from '../../support/api.js';
import { boxFixture } from './openBox.js';
import { serviceFixture } from '../../support/service.js';

describe('POST /api/search/box/contents', () => {
  const { ctx, api, other, call } = boxFixture(serviceFixture({}));

  it('200: finds the caller’s items of any status, newest first, by text, tags and source', async () => {
    const seeker = await registerUser(api);
    const workers = await startWorkers(ctx, { queues: ['search-sync'] });
    try {
      await seedBoxItem(ctx, other.userId, { title: 'Harbour of theirs' });
      const first = await seedBoxItem(ctx, seeker.userId, {
        title: 'Harbour at dawn',
        tags: ['sea'],
        state: 'PENDING',
      });
      ctx.clock.advance(1000);
      const second = await seedBoxItem(ctx, seeker.userId, {
        title: 'A walk',
        description: 'to the harbour',
        tags: ['sea', 'land'],
      });
      const found = async (body: object): Promise<string[]> =>
        (await call('POST', '/api/search/box/contents', body, seeker)).body.items.map(
          (item: { boxId: string }) => item.boxId,
        );
      await eventually(async () => expect(await found({})).to.deep.equal([second.boxId, first.boxId]));
      expect(await found({ queryString: 'harbour' })).to.have.members([first.boxId, second.boxId]);
      expect(await found({ queryString: 'dawn' })).to.deep.equal([first.boxId]);
      expect(await found({ tags: ['sea', 'land'] })).to.deep.equal([second.boxId]);
      expect(await found({ source: 'LIVE' })).to.deep.equal([]);
      expect(
        await found({ source: 'UPLOAD', excludeBundleId: crypto.randomUUID(), pageSize: 1, pageIndex: 1 }),
      ).to.deep.equal([first.boxId]);
      await call('DELETE', `/api/box/${first.boxId}`, undefined, seeker);
      expect(await found({})).to.deep.equal([second.boxId]);
    } finally {
      await workers.close();
    }
  });

  it('400: rejects a license type without the source MARKET_PLACE', async () => {
    for (const source of [undefined, 'UPLOAD', 'LIVE']) {
      const response = await call('POST', '/api/search/box/contents', {
        source,
        conditions: { licenseType: 'FREE' },
      });
      expect(response.status).to.equal(400);
      expect(response.body.errors[0].field).to.equal('conditions.licenseType');
    }
    const allowed = await call('POST', '/api/search/box/contents', {
      source: 'MARKET_PLACE',
      conditions: { licenseType: 'FREE' },
    });
    expect(allowed.body).to.include({ totalCount: 0, pageSize: 20, pageIndex: 0 });
    expect((await call('POST', '/api/search/box/contents', { source: 'ELSEWHERE' })).status).to.equal(400);
  });
});
