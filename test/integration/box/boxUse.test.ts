import { expect } from 'chai';
import { registerUser, startApi, type TestApi, type TestResponse, type TestUser } from '../../support/api.js';
import { watchStatements } from '../../support/statements.js';
import { seedBoxItem, seedStream } from '../../support/contents.js';
import { openTestContext, type TestContext } from '../../support/context.js';
import { eventually } from '../../support/eventually.js';
import { upload } from '../../support/uploads.js';
import { startWorkers } from '../../support/workers.js';

describe('box: progress, playback, status events and search', () => {
  let ctx: TestContext;
  let api: TestApi;
  let user: TestUser;
  let other: TestUser;

  before(async () => {
    ctx = await openTestContext();
    api = await startApi(ctx);
    [user, other] = await Promise.all([registerUser(api), registerUser(api)]);
  });
  after(async () => {
    await api.close();
    await ctx.close();
  });

  const call = (
    method: string,
    path: string,
    body?: unknown,
    as: TestUser = user,
    headers: Record<string, string> = {},
  ): Promise<TestResponse> =>
    api.call(method, path, { token: as.token, headers, ...(body === undefined ? {} : { body }) });

  describe('GET /api/progressbar/:progressId', () => {
    it('200 for the uploader, 404 for others', async () => {
      await upload(api, user, {}, { 'x-service-PROGRESSBARID': 'bar 1' });
      expect((await call('GET', '/api/progressbar/bar%201')).body).to.deep.equal({ value: 100 });
      expect((await call('GET', '/api/progressbar/bar%201', undefined, other)).status).to.equal(404);
      expect((await call('GET', '/api/progressbar/never')).status).to.equal(404);
    });

    it('404: after a rejected upload', async () => {
      expect((await upload(api, user, { title: '' }, { 'X-Service-progressbarId': 'bar2' })).status).to.equal(400);
      expect((await call('GET', '/api/progressbar/bar2')).status).to.equal(404);
    });
  });

  describe('POST /api/box/:boxId/play', () => {
    it('200: returns URLs for an item that is READY', async () => {
      const { boxId, folder } = await seedBoxItem(ctx, user.userId);
      await seedStream(ctx, folder);
      const { status, body } = await call('POST', `/api/box/${boxId}/play`);
      expect(status).to.equal(200);
      expect(body).to.include({ result: 'PLAY' });
      expect(body.resource).to.deep.equal((await call('GET', `/api/box/${boxId}`)).body);
      expect(body.srcs[0].streamer).to.match(/\.m3u8$/);
    });

    for (const state of ['PENDING', 'FAILED'] as const) {
      it(`200: returns a message for an item that is ${state}`, async () => {
        const { boxId } = await seedBoxItem(ctx, user.userId, { state });
        const { status, body } = await call('POST', `/api/box/${boxId}/play`, undefined, user, {
          'accept-language': 'fr',
        });
        expect(status).to.equal(200);
        expect(body).to.include({ result: 'MESSAGE', streamer: '' });
        expect(body.message).to.equal(
          ctx.translate('fr', state === 'PENDING' ? 'playback.notReady' : 'playback.notPlayable'),
        );
        expect(body.srcs).to.deep.equal([]);
      });
    }

    it('200: returns a message for an item that has expired', async () => {
      const { boxId } = await seedBoxItem(ctx, user.userId, { expiresAt: new Date(ctx.clock.now().getTime() - 1000) });
      expect((await call('POST', `/api/box/${boxId}/play`)).body).to.include({ result: 'MESSAGE' });
    });
  });

  describe('GET /api/box/:boxId/status/events', () => {
    it('200: an event for every change, until the content is READY', async () => {
      const { boxId, contentId } = await seedBoxItem(ctx, user.userId, { state: 'PENDING' });
      const events = await openEvents(boxId);
      expect(await events.next()).to.deep.equal({ status: 'PENDING', progress: 0 });
      await ctx.db.change(`UPDATE contents SET state = 'READY', ready_generation = 1 WHERE id = $contentId`, {
        contentId,
      });
      expect(await events.next()).to.deep.equal({ status: 'READY', progress: 100 });
      expect(await events.next()).to.equal(undefined);
    });

    it('200: reports at once that a content has failed, and why', async () => {
      const { boxId, contentId } = await seedBoxItem(ctx, user.userId, { state: 'FAILED' });
      await ctx.db.change(`UPDATE contents SET failure_key = 'playback.notPlayable' WHERE id = $contentId`, {
        contentId,
      });
      const events = await openEvents(boxId);
      expect(await events.next()).to.deep.equal({
        status: 'FAILED',
        progress: 0,
        message: ctx.translate('en', 'playback.notPlayable'),
      });
      expect(await events.next()).to.equal(undefined);
    });

    it('200: ends when the item is deleted', async () => {
      const { boxId } = await seedBoxItem(ctx, user.userId, { state: 'PENDING' });
      const events = await openEvents(boxId);
      await events.next();
      await call('DELETE', `/api/box/${boxId}`);
      expect(await events.next()).to.equal(undefined);
    });

    it('reads the rows once for all clients', async () => {
      const { boxId, contentId } = await seedBoxItem(ctx, user.userId, { state: 'PENDING' });
      const listeners = await Promise.all(Array.from({ length: 20 }, () => openEvents(boxId)));
      await Promise.all(listeners.map((events) => events.next()));
      const statements = watchStatements();
      await ctx.db.change(`UPDATE contents SET state = 'READY', ready_generation = 1 WHERE id = $contentId`, {
        contentId,
      });
      for (const event of await Promise.all(listeners.map((events) => events.next())))
        expect(event).to.include({ status: 'READY' });
      statements.stop();
      const asked = statements.seen.filter(({ text }) => /\b(contents|chunks)\b/.test(text));
      expect(asked).to.have.length.within(2, 7);
    });
  });

  describe('GET /api/box/:boxId/status/events while the process stops', () => {
    it('ends running streams and new ones', async () => {
      const { boxId } = await seedBoxItem(ctx, user.userId, { state: 'PENDING' });
      const events = await openEvents(boxId);
      await events.next();
      ctx.contentStateFeed.close();
      expect(await events.next()).to.equal(undefined);
      expect(await (await openEvents(boxId)).next()).to.equal(undefined);
    });
  });

  describe('POST /api/search/box/contents', () => {
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
