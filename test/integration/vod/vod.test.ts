import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { publicToken, registerUser, startApi, type TestApi, type TestUser } from '../../support/api.js';
import { seedBoxItem, type SeedOptions } from '../../support/contents.js';
import { openTestContext, type TestContext } from '../../support/context.js';

describe('VOD', () => {
  let ctx: TestContext;
  let api: TestApi;
  let owner: TestUser;
  let stranger: TestUser;
  let anybody: string;

  before(async () => {
    ctx = await openTestContext();
    api = await startApi(ctx);
    owner = await registerUser(api);
    stranger = await registerUser(api);
    anybody = await publicToken(api);
  });

  after(async () => {
    await api?.close();
    await ctx?.close();
  });

  const publish = (boxId: string, body: object = { licenseType: 'FREE' }, token = owner.token) =>
    api.call('POST', `/api/box/${boxId}/vod`, { token, body });

  async function published(body: object = { licenseType: 'FREE' }, options: SeedOptions = {}) {
    const item = await seedBoxItem(ctx, owner.userId, options);
    const response = await publish(item.boxId, body);
    expect(response.status, response.text).to.equal(201);
    return { ...item, vodId: response.body.vodId as string, body: response.body };
  }

  const readPrivate = (vodId: string, token = owner.token) => api.call('GET', `/api/vod/${vodId}`, { token });
  const readPublic = (vodId: string) => api.call('GET', `/api/public/vod/${vodId}`, { token: anybody });

  describe('publishing', () => {
    it('answers the whole item to its owner, and everybody reads the public form', async () => {
      const item = await seedBoxItem(ctx, owner.userId, {
        title: 'Snow',
        description: 'White',
        tags: ['winter'],
        durationMs: 187_000,
      });
      const { status, body } = await publish(item.boxId, { licenseType: 'CREATIVE_COMMONS', ccType: 'BY_SA' });
      expect(status).to.equal(201);
      const now = ctx.clock.now();
      const shared = {
        vodId: body.vodId,
        boxId: item.boxId,
        contentId: `urn:video:content:${item.contentId}`,
        resourceId: item.contentId,
        title: 'Snow',
        description: 'White',
        tags: ['winter'],
        duration: '3:07',
        licenseType: 'CREATIVE_COMMONS',
        ccType: 'BY_SA',
      };
      const valueDate = now.toISOString().slice(0, 10).split('-').toReversed().join('/');
      expect(body).to.deep.equal({ ...shared, valueDate, public: true });
      expect((await readPrivate(body.vodId)).body).to.deep.equal(body);
      const { body: publicBody } = await readPublic(body.vodId);
      expect(publicBody).to.deep.equal({ ...shared, publisher: { userCode: owner.userCode, licenseExpired: false } });
    });

    it('leaves empty members out', async () => {
      const { body } = await published();
      expect(body).to.not.have.any.keys('description', 'tags', 'thumbnailId', 'ccType', 'expirationDate');
    });

    it('takes `public` as told, also as a word', async () => {
      expect((await published({ licenseType: 'FREE', public: 'false' })).body.public).to.equal(false);
      expect((await published({ licenseType: 'FREE', public: null })).body.public).to.equal(true);
    });

    it('may be done more than once for one box item', async () => {
      const { boxId, vodId } = await published();
      const again = await publish(boxId, { licenseType: 'CREATIVE_COMMONS', ccType: 'BY' });
      expect(again.status).to.equal(201);
      expect(again.body.vodId).to.not.equal(vodId);
    });

    it('takes every Creative Commons type, and no other', async () => {
      const { boxId } = await seedBoxItem(ctx, owner.userId);
      for (const ccType of ['BY', 'BY_SA', 'BY_ND', 'BY_NC', 'BY_NC_SA', 'BY_NC_ND']) {
        expect((await publish(boxId, { licenseType: 'CREATIVE_COMMONS', ccType })).body.ccType).to.equal(ccType);
      }
      const refused = await publish(boxId, { licenseType: 'CREATIVE_COMMONS', ccType: 'CC0' });
      expect(refused.status).to.equal(400);
      expect(refused.body.errors).to.have.lengthOf(1);
      expect(refused.body.errors[0]).to.include({ field: 'ccType', code: 'choice', rejectedValue: 'CC0' });
    });

    const refusals: readonly [string, object, string][] = [
      ['no license type', {}, 'licenseType'],
      ['an unknown license type', { licenseType: 'GRATIS' }, 'licenseType'],
      ['a license type that is no text', { licenseType: ['FREE'] }, 'licenseType'],
      ['a Creative Commons license without its type', { licenseType: 'CREATIVE_COMMONS' }, 'ccType'],
      ['a Creative Commons type without the license', { licenseType: 'FREE', ccType: 'BY' }, 'ccType'],
      ['a price on a free item', { licenseType: 'FREE', pricePerView: '1,50' }, 'pricePerView'],
      ['a bundle on a free item', { licenseType: 'FREE', bundleId: randomUUID() }, 'bundleId'],
      ['a switch that is none', { licenseType: 'FREE', public: 'perhaps' }, 'public'],
    ];
    for (const [name, body, field] of refusals) {
      it(`is refused with ${name}`, async () => {
        const { boxId } = await seedBoxItem(ctx, owner.userId);
        const response = await publish(boxId, body);
        expect(response.status, response.text).to.equal(400);
        expect(response.body.errors.map((error: { field: string }) => error.field)).to.deep.equal([field]);
        const { vodId } = await published();
        expect((await api.call('POST', `/api/vod/${vodId}`, { token: owner.token, body })).body.errors).to.deep.equal(
          response.body.errors,
        );
      });
    }

    it('tells all that is wrong at once, in the language asked for', async () => {
      const { boxId } = await seedBoxItem(ctx, owner.userId);
      const body = { licenseType: 'PAY_PER_VIEW', ccType: 'BY', public: 'perhaps' };
      const { body: refused } = await api.call('POST', `/api/box/${boxId}/vod`, {
        token: owner.token,
        body,
        headers: { 'accept-language': 'it' },
      });
      const messages = new Map(
        refused.errors.map((error: { field: string; defaultMessage: string }) => [error.field, error.defaultMessage]),
      );
      expect([...messages.keys()]).to.have.members(['pricePerView', 'ccType', 'public']);
      expect(messages.get('ccType')).to.match(/CREATIVE_COMMONS/);
    });

    it('is refused with 409 while the content is not READY', async () => {
      for (const state of ['PENDING', 'FAILED'] as const) {
        const { boxId } = await seedBoxItem(ctx, owner.userId, { state });
        const response = await publish(boxId);
        expect(response.status).to.equal(409);
        expect(response.body.message).to.match(/not ready/);
      }
    });

    it('finds no box item of another user, none unknown, and none with a malformed id', async () => {
      const { boxId } = await seedBoxItem(ctx, owner.userId);
      const answers = [
        await publish(boxId, undefined, stranger.token),
        await publish(randomUUID()),
        await publish('none'),
      ];
      expect(answers.map(({ status }) => status)).to.deep.equal([404, 404, 404]);
      expect(new Set(answers.map(({ body }) => body.message)).size).to.equal(1);
    });

    it('cannot pass a deletion of the box item', async () => {
      for (let round = 0; round < 5; round += 1) {
        const { boxId } = await seedBoxItem(ctx, owner.userId);
        const [publication, deletion] = await Promise.all([
          publish(boxId),
          api.call('DELETE', `/api/box/${boxId}`, { token: owner.token }),
        ]);
        expect([
          [201, 409],
          [404, 204],
        ]).to.deep.include([publication.status, deletion.status]);
        const left = await ctx.db.rows('SELECT id FROM box_items WHERE id = $boxId', { boxId });
        expect(left).to.have.lengthOf(publication.status === 201 ? 1 : 0);
      }
    });
  });

  describe('reading', () => {
    it('shows an item that is not public to its owner alone', async () => {
      const { vodId } = await published({ licenseType: 'FREE', public: false });
      expect((await readPrivate(vodId)).status).to.equal(200);
      expect((await readPublic(vodId)).status).to.equal(404);
      expect((await api.call('GET', `/api/public/vod/${vodId}`, { token: owner.token })).status).to.equal(404);
    });

    it('shows the private form of an item to nobody but its owner', async () => {
      const { vodId } = await published();
      const answers = [
        await readPrivate(vodId, stranger.token),
        await readPrivate(randomUUID()),
        await readPrivate('1'),
      ];
      expect(answers.map(({ status }) => status)).to.deep.equal([404, 404, 404]);
    });

    it('finds items of a publisher who keeps out of search, and none of one who is disabled', async () => {
      const publisher = await registerUser(api);
      const { boxId } = await seedBoxItem(ctx, publisher.userId);
      const { vodId } = (await publish(boxId, undefined, publisher.token)).body;
      await ctx.db.change('UPDATE users SET vod_public = false WHERE id = $id', { id: publisher.userId });
      expect((await readPublic(vodId)).status).to.equal(200);
      expect((await api.call('POST', '/api/user/me/disable', { token: publisher.token })).status).to.equal(204);
      expect((await readPublic(vodId)).status).to.equal(404);
      expect((await api.call('POST', `/api/public/vod/${vodId}/play`, { token: anybody })).status).to.equal(404);
    });

    it('tells dates in the time zone of the caller', async () => {
      const { vodId } = await published({ licenseType: 'FREE' }, { expiresAt: new Date('2040-03-31T22:30:00Z') });
      const read = (offset: string) =>
        api.call('GET', `/api/vod/${vodId}`, { token: owner.token, headers: { 'x-service-timezone': offset } });
      expect((await read('0')).body.expirationDate).to.equal('31/03/2040');
      expect((await read('7200000')).body.expirationDate).to.equal('01/04/2040');
    });
  });

  describe('changing', () => {
    it('replaces the conditions, and keeps the switch where it is left out', async () => {
      const { vodId, body } = await published({ licenseType: 'CREATIVE_COMMONS', ccType: 'BY', public: false });
      const change = (members: object) => api.call('POST', `/api/vod/${vodId}`, { token: owner.token, body: members });
      const { ccType: _ccType, ...rest } = body;
      expect((await change({ licenseType: 'FREE' })).body).to.deep.equal({ ...rest, licenseType: 'FREE' });
      expect((await change({ licenseType: 'FREE', public: true })).body.public).to.equal(true);
      expect((await readPublic(vodId)).status).to.equal(200);
    });

    it('takes back a whole item as it was read', async () => {
      const { vodId, body } = await published({ licenseType: 'CREATIVE_COMMONS', ccType: 'BY_ND' });
      expect((await api.call('POST', `/api/vod/${vodId}`, { token: owner.token, body })).body).to.deep.equal(body);
    });

    it('and deleting are for the owner alone', async () => {
      const { vodId } = await published();
      const body = { licenseType: 'FREE', public: false };
      expect((await api.call('POST', `/api/vod/${vodId}`, { token: stranger.token, body })).status).to.equal(404);
      expect((await api.call('DELETE', `/api/vod/${vodId}`, { token: stranger.token })).status).to.equal(404);
      expect((await readPublic(vodId)).status).to.equal(200);
    });

    it('deletes once; the box item stays', async () => {
      const { vodId, boxId } = await published();
      const remove = () => api.call('DELETE', `/api/vod/${vodId}`, { token: owner.token });
      expect((await remove()).status).to.equal(204);
      expect((await remove()).status).to.equal(404);
      expect((await readPrivate(vodId)).status).to.equal(404);
      expect((await api.call('GET', `/api/box/${boxId}`, { token: owner.token })).body.vodCount).to.equal(0);
    });
  });
});
