import { expect } from 'chai';
import { BoxItem } from '../../../shared/box/box.model.js';
import type { Transaction } from '../../../shared/platform/database/database.js';
import { seedBoxItem } from '../../support/contents.js';
import { useFixture } from '../../support/fixtures.js';
import { bodyOf } from '../../support/responses.js';
import { storedRows } from '../../support/rows.js';
import { whileLocked } from '../../support/waitingStatements.js';
import { freeTerms, openShop, perView } from './shop.js';

describe('POST /api/box/{boxId}/vod', () => {
  const shop = useFixture(openShop);

  const newBoxItem = async () => (await seedBoxItem(shop.ctx, shop.publisher.userId)).boxId;

  it('returns 201 with the complete item to the owner, and everybody can read the public view', async () => {
    const texts = { title: 'Snow', description: 'White', tags: ['winter'] };
    const item = await seedBoxItem(shop.ctx, shop.publisher.userId, { ...texts, durationMs: 187_000 });
    const conditions = { licenseType: 'CREATIVE_COMMONS', ccType: 'BY_SA' };
    const body = bodyOf(201, await shop.publish(item.boxId, conditions));
    const shared = {
      ...{ ...texts, ...conditions, duration: '3:07', vodId: body.vodId, boxId: item.boxId },
      embedUrl: `${shop.ctx.config.service.publicUrl}/embed/?vod=${body.vodId}`,
      contentId: `urn:video:content:${item.contentId}`,
      resourceId: item.contentId,
    };
    const valueDate = shop.ctx.clock.now().toISOString().slice(0, 10).split('-').toReversed().join('/');
    expect(body).to.deep.equal({ ...shared, valueDate, public: true });
    expect((await shop.read(body.vodId)).body).to.deep.equal(body);
    const publisher = { userCode: shop.publisher.userCode, licenseExpired: false };
    expect((await shop.readPublic(body.vodId)).body).to.deep.equal({ ...shared, publisher });
  });

  it('returns 201 without empty members, with `public` as sent (null is true), and repeatedly for one box item', async () => {
    const { boxId, vodId, body } = await shop.published(freeTerms);
    expect(body).to.not.have.any.keys('description', 'tags', 'thumbnailId', 'ccType', 'expirationDate');
    expect((await shop.published({ ...freeTerms, public: 'false' })).body.public).to.equal(false);
    expect((await shop.published({ ...freeTerms, public: null })).body.public).to.equal(true);
    for (const ccType of ['BY', 'BY_SA', 'BY_ND', 'BY_NC', 'BY_NC_SA', 'BY_NC_ND']) {
      const again = bodyOf(201, await shop.publish(boxId, { licenseType: 'CREATIVE_COMMONS', ccType }));
      expect(again).to.include({ ccType }).and.not.include({ vodId });
    }
  });

  it('201: ignores the fields of other license types, which forms send, also in an update', async () => {
    const hidden = { ccType: 'MINE', pricePerView: 'free', bundleId: 'none', bundle: 'none', public: '' };
    for (const shown of [
      { licenseType: 'FREE' },
      { licenseType: 'CREATIVE_COMMONS', ccType: 'BY' },
      { licenseType: 'PAY_PER_VIEW', pricePerView: '1,50' },
    ]) {
      const { vodId, body: published } = await shop.published({ ...hidden, ...shown });
      const free = await shop.published(freeTerms);
      const updated = bodyOf(200, await shop.update(free.vodId, { ...hidden, ...shown }));
      for (const item of [published, updated, (await shop.read(vodId)).body]) {
        expect(item).to.include({ ...shown, public: true });
        const others = ['ccType', 'pricePerView', 'bundle'].filter((name) => !(name in shown));
        expect(item).to.not.have.any.keys(...others);
      }
    }
  });

  it('returns 400 for invalid conditions, with the same errors in an update', async () => {
    const [boxId, { vodId }] = [await newBoxItem(), await shop.published(freeTerms)];
    for (const [body, field] of [
      [{}, 'licenseType'],
      ...['GRATIS', ['FREE'], ' '].map((licenseType) => [{ licenseType }, 'licenseType'] as const),
      [{ licenseType: 'CREATIVE_COMMONS' }, 'ccType'],
      ...['', 'CC0'].map((ccType) => [{ licenseType: 'CREATIVE_COMMONS', ccType }, 'ccType'] as const),
      [{ licenseType: 'FREE', public: 'perhaps' }, 'public'],
    ] as const) {
      const { errors } = bodyOf(400, await shop.publish(boxId, body));
      expect(
        errors.map((error: { field: string }) => error.field),
        JSON.stringify(body),
      ).to.deep.equal([field]);
      expect((await shop.update(vodId, body)).body.errors).to.deep.equal(errors);
    }
  });

  it('returns 400 with all errors at once, in the request’s language', async () => {
    const { body } = await shop.api.call('POST', `/api/box/${await newBoxItem()}/vod`, {
      token: shop.publisher.token,
      body: { licenseType: 'CREATIVE_COMMONS', ccType: 'MINE', public: 'perhaps' },
      headers: { 'accept-language': 'it' },
    });
    const [ccType, isPublic] = body.errors;
    expect([ccType.field, ccType.rejectedValue, isPublic.field]).to.deep.equal(['ccType', 'MINE', 'public']);
    expect(ccType.defaultMessage).to.match(/BY_SA/);
    expect(body.message).to.include(ccType.field).and.include(ccType.defaultMessage);
  });

  it('returns 404, or 409 for the deletion, if the box item is deleted concurrently', async () => {
    for (const [isPublishedFirst, statuses] of [
      [true, [201, 409]],
      [false, [204, 404]],
    ] as const) {
      const boxId = await newBoxItem();
      const removal = () => shop.api.call('DELETE', `/api/box/${boxId}`, { token: shop.publisher.token });
      const calls = [() => shop.publish(boxId, freeTerms), removal];
      const lock = 'SELECT 1 FROM box_items WHERE id = $boxId FOR UPDATE';
      const locked = (tx: Transaction) => shop.ctx.db.rows(lock, { boxId }, tx);
      const responses = await whileLocked(shop.ctx, locked, isPublishedFirst ? calls : calls.toReversed());
      expect(responses.map(({ status }) => status)).to.deep.equal(statuses);
      expect(await storedRows(shop.ctx, BoxItem, { id: boxId })).to.have.lengthOf(isPublishedFirst ? 1 : 0);
    }
  });

  it('returns 409 while the content is not READY, with the reason of a failure, and after the box item’s expiry', async () => {
    const failureKey = 'content.failure.unreadable';
    for (const [options, message] of [
      [{ state: 'PENDING' }, /not ready/],
      [{ state: 'FAILED' }, /not ready/],
      [{ state: 'FAILED', failureKey }, /published\. The file is damaged or incomplete: it cannot be read\.$/],
      [{ expiresAt: shop.ctx.clock.now() }, /has ended/],
    ] as const) {
      const { boxId } = await seedBoxItem(shop.ctx, shop.publisher.userId, options);
      for (const terms of [freeTerms, perView])
        expect(bodyOf(409, await shop.publish(boxId, terms)).message).to.match(message);
    }
  });
});
