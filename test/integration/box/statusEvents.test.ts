import { expect } from 'chai';
import { contentStateFeed } from '../../../shared/content/contentStateFeed.js';
import { watchStatements } from '../../support/statements.js';
import { eventually } from '../../support/eventually.js';
import { seedBoxItem, seedPrepared, seedPreparing, changeRow } from '../../support/rows.js';
import { boxFixture } from './openBox.js';
import { Content } from '../../../shared/content/content.model.js';
import { serviceFixture, useFixture } from '../../support/fixtures.js';
import { startWorkers } from '../../support/workers.js';
import { registerUser, bodyOf } from '../../support/api.js';
import { free, marketFixture } from '../marketplace/marketFixture.js';

describe('GET /api/box/:boxId/status/events', () => {
  const { ctx, api, user, call } = boxFixture(serviceFixture({}));

  it('200: sends an event for every change, until the content is READY', async () => {
    const { boxId, contentId } = await seedBoxItem(ctx, user.userId, { state: 'PENDING' });
    const events = await openEvents(boxId);
    expect(await events.next()).to.deep.equal({ status: 'PENDING', progress: 0 });
    await changeRow(ctx, Content, contentId, { state: 'READY', readyGeneration: 1 });
    expect(await events.next()).to.deep.equal({ status: 'READY', progress: 100 });
    expect(await events.next()).to.equal(undefined);
  });

  it('200: reports a failed content at once, with the reason', async () => {
    const { boxId, contentId } = await seedBoxItem(ctx, user.userId, { state: 'FAILED' });
    await changeRow(ctx, Content, contentId, { failureKey: 'playback.notPlayable' });
    const events = await openEvents(boxId);
    expect(await events.next()).to.deep.equal({
      status: 'FAILED',
      progress: 0,
      message: ctx.translate('en', 'playback.notPlayable'),
    });
    expect(await events.next()).to.equal(undefined);
  });

  it('200: continues after READY while renditions are missing, and ends when all are stored', async () => {
    const { boxId, contentId } = await seedBoxItem(ctx, user.userId);
    await seedPreparing(ctx, contentId);
    const events = await openEvents(boxId);
    expect(await events.next()).to.deep.equal({ status: 'READY', progress: 100, preparing: 52 });
    await ctx.db.change('UPDATE chunks SET progress = 0.5 WHERE content_id = $contentId AND position = 1', {
      contentId,
    });
    expect(await events.next()).to.deep.equal({ status: 'READY', progress: 100, preparing: 76 });
    await seedPrepared(ctx, contentId);
    expect(await events.next()).to.deep.equal({ status: 'READY', progress: 100 });
    expect(await events.next()).to.equal(undefined);
  });

  it('200: ends when the item is deleted', async () => {
    const { boxId } = await seedBoxItem(ctx, user.userId, { state: 'PENDING' });
    const events = await openEvents(boxId);
    await events.next();
    await call('DELETE', `/api/box/${boxId}`);
    expect(await events.next()).to.equal(undefined);
  });

  it('returns 429 above 20 concurrent streams of one user', async () => {
    const { boxId } = await seedBoxItem(ctx, user.userId, { state: 'PENDING' });
    const url = `${api.url}/api/box/${boxId}/status/events`;
    const streams = await Promise.all(
      Array.from({ length: 23 }, async () => {
        const abort = new AbortController();
        const response = await fetch(url, {
          headers: { authorization: `Bearer ${user.token}` },
          signal: abort.signal,
        });
        // A response without a reference is closed when garbage is collected.
        return { response, abort };
      }),
    );
    const refused = streams.filter(({ response }) => response.status === 429);
    for (const { abort } of streams) abort.abort();
    expect([streams.length - refused.length, refused.length]).to.deep.equal([20, 3]);
    await eventually(async () => {
      const response = await fetch(url, { method: 'HEAD', headers: { authorization: `Bearer ${user.token}` } });
      expect(response.status).to.equal(200);
    });
  });

  it('reads the rows once per change for all clients', async () => {
    const { boxId, contentId } = await seedBoxItem(ctx, user.userId, { state: 'PENDING' });
    const listeners = await Promise.all(Array.from({ length: 20 }, () => openEvents(boxId)));
    await Promise.all(listeners.map((events) => events.next()));
    const statements = watchStatements();
    await changeRow(ctx, Content, contentId, { state: 'READY', readyGeneration: 1 });
    for (const event of await Promise.all(listeners.map((events) => events.next())))
      expect(event).to.include({ status: 'READY' });
    statements.stop();
    const asked = statements.seen.filter(({ text }) => /\b(contents|chunks)\b/.test(text));
    expect(asked).to.have.length.within(1, 7);
  });

  it('ends running and new streams when the feed closes', async () => {
    const { boxId } = await seedBoxItem(ctx, user.userId, { state: 'PENDING' });
    const events = await openEvents(boxId);
    await events.next();
    contentStateFeed(ctx).close();
    expect(await events.next()).to.equal(undefined);
    expect(await (await openEvents(boxId)).next()).to.equal(undefined);
  });

  async function openEvents(boxId: string): Promise<{ next(): Promise<unknown> }> {
    const response = await fetch(`${api.url}/api/box/${boxId}/status/events?access_token=${user.token}`);
    expect(response.headers.get('content-type')).to.equal('text/event-stream');
    const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
    let text = '';
    return {
      async next() {
        for (;;) {
          const event = /^event: status\ndata: (.*)\n\n/.exec(text);
          if (event) {
            text = text.slice(event[0].length);
            return JSON.parse(event[1] ?? '');
          }
          const part = await reader?.read();
          if (part?.done !== false) return undefined;
          text += part.value;
        }
      },
    };
  }
});

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
});
