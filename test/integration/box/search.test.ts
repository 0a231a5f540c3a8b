import { expect } from 'chai';
import { eventually } from '../../support/eventually.js';
import { startWorkers } from '../../support/workers.js';
import { seedBoxItem } from '../../support/contents.js';
import { registerUser } from '../../support/api.js';
import { boxFixture } from './openBox.js';
import { bodyOf } from '../../support/responses.js';
import { serviceFixture } from '../../support/service.js';

describe('POST /api/search/box/contents', () => {
  const { ctx, api, other, call } = boxFixture(serviceFixture({}));

  it('200: filters the caller’s items of any status by text, tags and source, newest first', async () => {
    const seeker = await registerUser(api);
    const workers = await startWorkers(ctx, { queues: ['search-sync'] });
    try {
      await seedBoxItem(ctx, other.userId, { title: 'Harbour of theirs' });
      const dawn = { title: 'Harbour at dawn', tags: ['sea'], state: 'PENDING' } as const;
      const first = await seedBoxItem(ctx, seeker.userId, dawn);
      ctx.clock.advance(1000);
      const walk = { title: 'A walk', description: 'to the harbour', tags: ['sea', 'land'] };
      const second = await seedBoxItem(ctx, seeker.userId, walk);
      const found = async (body: object): Promise<string[]> => {
        const { items } = (await call('POST', '/api/search/box/contents', body, seeker)).body;
        return items.map((item: { boxId: string }) => item.boxId);
      };
      await eventually(async () => expect(await found({})).to.deep.equal([second.boxId, first.boxId]));
      expect(await found({ queryString: 'harbour' })).to.have.members([first.boxId, second.boxId]);
      expect(await found({ queryString: 'dawn' })).to.deep.equal([first.boxId]);
      expect(await found({ tags: ['sea', 'land'] })).to.deep.equal([second.boxId]);
      expect(await found({ source: 'LIVE' })).to.deep.equal([]);
      const secondPage = { source: 'UPLOAD', excludeBundleId: crypto.randomUUID(), pageSize: 1, pageIndex: 1 };
      expect(await found(secondPage)).to.deep.equal([first.boxId]);
      await call('DELETE', `/api/box/${first.boxId}`, undefined, seeker);
      expect(await found({})).to.deep.equal([second.boxId]);
    } finally {
      await workers.close();
    }
  });

  it('400: rejects a license type without the source MARKET_PLACE', async () => {
    const search = (body: object) => call('POST', '/api/search/box/contents', body);
    const conditions = { licenseType: 'FREE' };
    for (const source of [undefined, 'UPLOAD', 'LIVE']) {
      const { errors } = bodyOf(400, await search({ source, conditions }));
      expect(errors[0].field).to.equal('conditions.licenseType');
    }
    const allowed = await search({ source: 'MARKET_PLACE', conditions });
    expect(allowed.body).to.include({ totalCount: 0, pageSize: 20, pageIndex: 0 });
    expect((await search({ source: 'ELSEWHERE' })).status).to.equal(400);
  });
});
