import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { bodyOf, rejectedFields } from '../../support/responses.js';
import { registerUser } from '../../support/api.js';
import { seedBoxItem } from '../../support/contents.js';
import { freeTerms, openShop } from './shop.js';
import { useFixture } from '../../support/fixtures.js';

describe('POST /api/box/{boxId}/vod', () => {
  const shop = useFixture(openShop);

  const newBoxItem = async () => (await seedBoxItem(shop.ctx, shop.publisher.userId)).boxId;

  describe('201', () => {
    it('returns the whole item to its owner; everybody reads the public view', async () => {
      const item = await seedBoxItem(shop.ctx, shop.publisher.userId, {
        title: 'Snow',
        description: 'White',
        tags: ['winter'],
        durationMs: 187_000,
      });
      const body = bodyOf(201, await shop.publish(item.boxId, { licenseType: 'CREATIVE_COMMONS', ccType: 'BY_SA' }));
      const now = shop.ctx.clock.now();
      const shared = {
        vodId: body.vodId,
        boxId: item.boxId,
        embedUrl: `${shop.ctx.config.service.publicUrl}/embed/?vod=${body.vodId}`,
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
      expect((await shop.read(body.vodId)).body).to.deep.equal(body);
      const { body: publicBody } = await shop.readPublic(body.vodId);
      const publisher = { userCode: shop.publisher.userCode, licenseExpired: false };
      expect(publicBody).to.deep.equal({ ...shared, publisher });
    });

    it('without empty members', async () => {
      const { body } = await shop.published(freeTerms);
      expect(body).to.not.have.any.keys('description', 'tags', 'thumbnailId', 'ccType', 'expirationDate');
    });

    it('with `public` as sent, also as a string; null is true', async () => {
      expect((await shop.published({ ...freeTerms, public: 'false' })).body.public).to.equal(false);
      expect((await shop.published({ ...freeTerms, public: null })).body.public).to.equal(true);
    });

    it('more than once for one box item', async () => {
      const { boxId, vodId } = await shop.published(freeTerms);
      const again = await shop.publish(boxId, { licenseType: 'CREATIVE_COMMONS', ccType: 'BY' });
      expect(bodyOf(201, again).vodId).to.not.equal(vodId);
    });

    it('with every Creative Commons type', async () => {
      const boxId = await newBoxItem();
      for (const ccType of ['BY', 'BY_SA', 'BY_ND', 'BY_NC', 'BY_NC_SA', 'BY_NC_ND']) {
        const { body } = await shop.publish(boxId, { licenseType: 'CREATIVE_COMMONS', ccType });
        expect(body.ccType).to.equal(ccType);
      }
    });
  });

  describe('201 for what forms send, also for an update', () => {
    const hidden = { ccType: 'MINE', pricePerView: 'free', bundleId: 'none', bundle: 'none', public: '' };
    const cases: readonly [object, object][] = [
      [{ ...hidden, licenseType: 'FREE' }, { licenseType: 'FREE' }],
      [
        { ...hidden, licenseType: 'CREATIVE_COMMONS', ccType: 'BY' },
        { licenseType: 'CREATIVE_COMMONS', ccType: 'BY' },
      ],
      [
        { ...hidden, licenseType: 'PAY_PER_VIEW', pricePerView: '1,50' },
        { licenseType: 'PAY_PER_VIEW', pricePerView: '1,50' },
      ],
    ];
    for (const [body, shown] of cases)
      it(`fields of another license type are ignored: ${JSON.stringify(body)}`, async () => {
        const { vodId, body: published } = await shop.published(body);
        const updated = bodyOf(200, await shop.update((await shop.published(freeTerms)).vodId, body));
        for (const item of [published, updated, (await shop.read(vodId)).body]) {
          expect(item).to.include({ ...shown, public: true });
          const others = ['ccType', 'pricePerView', 'bundle'].filter((name) => !(name in shown));
          expect(item).to.not.have.any.keys(...others);
        }
      });
  });

  describe('400, also for an update', () => {
    const cases: readonly [string, object, string][] = [
      ['no license type', {}, 'licenseType'],
      ['an unknown license type', { licenseType: 'GRATIS' }, 'licenseType'],
      ['a license type that is no string', { licenseType: ['FREE'] }, 'licenseType'],
      ['a Creative Commons license without its type', { licenseType: 'CREATIVE_COMMONS' }, 'ccType'],
      ['a blank license type', { licenseType: ' ' }, 'licenseType'],
      ['a blank Creative Commons type', { licenseType: 'CREATIVE_COMMONS', ccType: '' }, 'ccType'],
      ['a `public` that is no boolean', { licenseType: 'FREE', public: 'perhaps' }, 'public'],
    ];
    for (const [name, body, field] of cases) {
      it(`for ${name}`, async () => {
        const response = await shop.publish(await newBoxItem(), body);
        const { errors } = bodyOf(400, response);
        expect(errors.map((error: { field: string }) => error.field)).to.deep.equal([field]);
        const { vodId } = await shop.published(freeTerms);
        expect((await shop.update(vodId, body)).body.errors).to.deep.equal(errors);
      });
    }

    it('for an unknown Creative Commons type', async () => {
      const response = await shop.publish(await newBoxItem(), { licenseType: 'CREATIVE_COMMONS', ccType: 'CC0' });
      expect(rejectedFields(response)).to.deep.equal(['ccType choice']);
      expect(response.body.errors[0]).to.include({ rejectedValue: 'CC0' });
    });

    it('with all errors at once, in the language of the request', async () => {
      const response = await shop.api.call('POST', `/api/box/${await newBoxItem()}/vod`, {
        token: shop.publisher.token,
        body: { licenseType: 'CREATIVE_COMMONS', ccType: 'MINE', public: 'perhaps' },
        headers: { 'accept-language': 'it' },
      });
      const messages = new Map(
        response.body.errors.map((error: { field: string; defaultMessage: string }) => [
          error.field,
          error.defaultMessage,
        ]),
      );
      expect([...messages.keys()]).to.have.members(['ccType', 'public']);
      expect(messages.get('ccType')).to.match(/BY_SA/);
      const [first] = response.body.errors;
      expect(response.body.message).to.include(first.field).and.include(first.defaultMessage);
    });
  });

  describe('404', () => {
    it('for a box item of another user, an unknown one and a malformed id, with the same message', async () => {
      const otherUser = await registerUser(shop.api);
      const responses = [
        await shop.publish(await newBoxItem(), freeTerms, otherUser),
        await shop.publish(randomUUID(), freeTerms),
        await shop.publish('none', freeTerms),
      ];
      expect(responses.map(({ status }) => status)).to.deep.equal([404, 404, 404]);
      expect(new Set(responses.map(({ body }) => body.message)).size).to.equal(1);
    });

    it('or 409 for the deletion, when the box item is deleted at the same time', async () => {
      for (let round = 0; round < 5; round += 1) {
        const boxId = await newBoxItem();
        const [publication, deletion] = await Promise.all([
          shop.publish(boxId, freeTerms),
          shop.api.call('DELETE', `/api/box/${boxId}`, { token: shop.publisher.token }),
        ]);
        expect([
          [201, 409],
          [404, 204],
        ]).to.deep.include([publication.status, deletion.status]);
        const left = await shop.ctx.db.rows('SELECT id FROM box_items WHERE id = $boxId', { boxId });
        expect(left).to.have.lengthOf(publication.status === 201 ? 1 : 0);
      }
    });
  });

  describe('409', () => {
    it('while the content is not READY', async () => {
      for (const state of ['PENDING', 'FAILED'] as const) {
        const { boxId } = await seedBoxItem(shop.ctx, shop.publisher.userId, { state });
        expect(bodyOf(409, await shop.publish(boxId, freeTerms)).message).to.match(/not ready/);
      }
    });

    it('with the reason that its owner reads, while the content is FAILED', async () => {
      const failureKey = 'content.failure.unreadable';
      const { boxId } = await seedBoxItem(shop.ctx, shop.publisher.userId, { state: 'FAILED', failureKey });
      const { message } = bodyOf(409, await shop.publish(boxId, freeTerms));
      expect(message).to.match(/cannot be published\. The file is damaged or incomplete: it cannot be read\.$/);
    });

    it('after the box item has ended', async () => {
      const expiresAt = shop.ctx.clock.now();
      const { boxId } = await seedBoxItem(shop.ctx, shop.publisher.userId, { expiresAt });
      expect(bodyOf(409, await shop.publish(boxId, freeTerms)).message).to.match(/has ended/);
    });
  });
});
