import { expect } from 'chai';
import { randomUUID } from 'node:crypto';
import sinon from 'sinon';
import { recordBand } from '../../../shared/license/band.service.js';
import { startApi, bodyOf } from '../../support/api.js';
import { seedStream, changeRow, makeThumbnail } from '../../support/rows.js';
import { payInSandbox, referenceOf, rejectInSandbox } from '../../support/payments.js';
import { findOrder } from '../../../shared/payment/providers/sandbox/sandboxOrders.js';
import { inBundle, openShop, perView } from '../vod/shop.js';
import { BoxItem } from '../../../shared/box/box.model.js';
import { useFixture } from '../../support/fixtures.js';

describe('GET /embed of a paid item', () => {
  const shop = useFixture(openShop);

  const open = (vodId: string, language = 'en', headers: Record<string, string> = {}) =>
    shop.api.call('GET', `/embed/?vod=${vodId}`, { headers: { 'accept-language': language, ...headers } });

  it('returns 200 with preview, title, publisher, thumbnail and localized price, but no URL of the complete video', async () => {
    const { vodId, boxId, folder } = await shop.published(perView, { title: 'Snow', description: 'White' });
    await seedStream(shop.ctx, folder);
    const thumbnailId = await makeThumbnail(shop.ctx, shop.publisher.userId);
    await changeRow(shop.ctx, BoxItem, boxId, { thumbnailId });
    const page = await open(vodId, 'it');
    expect(page.status).to.equal(200);
    expect(page.text).to.include('<html lang="it">').and.include('<h1>Snow</h1>').and.include(shop.publisher.userCode);
    expect(page.text)
      .to.include('richiesto un pagamento')
      .and.match(/<button type="button" data-control="pay">Paga 4,00\s€</);
    expect(page.text).to.include(`poster="/asset/thumbnail/${thumbnailId}/1280"`);
    expect(page.text).to.include('og:image').and.include('content="White"');
    expect(page.text.match(/data-source="([^"]*)"/)?.[1]).to.match(/\/preview\/[^/]*\.m3u8$/);
    expect(page.text.match(/\/s\//g)).to.have.lengthOf(1);
    expect(page.headers.get('content-security-policy')).to.include("img-src 'self'").and.include('frame-ancestors *');
    expect((await open(vodId, 'en')).text)
      .to.include('requires a payment')
      .and.include('>Pay €4.00<');
    expect((await open(vodId, 'pt')).text).to.include('necessário um pagamento');
    expect((await open(vodId)).text)
      .to.include('<p class="about">White</p>')
      .and.include('from the first play, you can watch for 2\u00a0days.');
    for (const [language, price] of [
      ['it-CH', /Paga €\s4\.00</],
      ['pt-BR', /Pagar €\s4,00</],
      ['pt-PT', /Pagar 4,00\s€</],
      ['en-GB', /Pay €4\.00</],
    ] as const)
      expect((await open(vodId, language)).text, language).to.match(price);
  });

  it('returns 200 with the bundle, its price and its period', async () => {
    const bundleId = await shop.newBundle({ name: 'Alps <3', price: '9,90', duration: 30, durationUnit: 'DAYS' });
    const { vodId } = await shop.published(inBundle(bundleId));
    expect((await open(vodId)).text)
      .to.include('requires a subscription')
      .and.include('>Alps &lt;3: €9.90 / 30\u00a0days<')
      .and.include('sign in')
      .and.not.include('data-control="pay"')
      .and.not.include('<a ');
    expect((await open(vodId, 'fr')).text)
      .to.include('nécessite un abonnement')
      .and.match(/Alps &lt;3: 9,90\s€ \/ 30\sjours</);
  });

  it('returns 200 with a link to the bundle’s sales page if the deployment has one', async () => {
    const own = await openShop({ PORTAL_URL: 'https://portal.example/bundles/{bundleId}?from=player&lang=en' });
    try {
      const bundleId = await own.newBundle();
      const { vodId } = await own.published(inBundle(bundleId));
      const page = await own.api.call('GET', `/embed/?vod=${vodId}`);
      expect(page.text).to.include(
        `href="https://portal.example/bundles/${bundleId}?from=player&amp;lang=en" target="_blank" rel="noopener"`,
      );
      const { vodId: perViewId } = await own.published();
      expect((await own.api.call('GET', `/embed/?vod=${perViewId}`)).text).to.not.include('portal.example');
    } finally {
      await own.close();
    }
  });

  it('returns 200 without a payment button after the deployment has stopped taking payments', async () => {
    const { vodId } = await shop.published();
    const bundled = await shop.published(inBundle(await shop.newBundle({ name: 'Alps' })));
    const { ctx } = shop;
    const payments = { ...ctx.config.payments, provider: 'none' as const, portalUrl: 'https://portal.example/' };
    const none = await startApi({ ...ctx, config: { ...ctx.config, payments } });
    try {
      for (const id of [vodId, bundled.vodId])
        expect((await none.call('GET', `/embed/?vod=${id}`)).text)
          .to.include('accepts no payments')
          .and.include('data-control="preview"')
          .and.not.match(/data-control="pay"|portal\.example|Alps/);
    } finally {
      await none.close();
    }
  });

  it('returns 200 with the price also to the publisher, because the page has no login', async () => {
    const { vodId } = await shop.published();
    const page = await open(vodId, 'en', { authorization: `Bearer ${shop.publisher.token}` });
    expect(page.text).to.include('requires a payment');
    const { status, body } = await shop.api.call('GET', `/embed/playback?vod=${vodId}`);
    expect([status, body.playback]).to.deep.equal([200, { result: 'PAYMENT_REQUIRED', path: '' }]);
  });
});

describe('POST /embed/pay of a video, and the player page with its tracking id', () => {
  const shop = useFixture(openShop);
  afterEach(() => sinon.restore());

  const startAt = (body: object, headers: Record<string, string> = {}) =>
    shop.api.call('POST', '/embed/pay', { body, headers });
  const start = async (vodId: string) => bodyOf(200, await startAt({ vod: vodId }));
  const open = (vodId: string, trackingId: string) =>
    shop.api.call('GET', `/embed/?vod=${vodId}&trackingId=${trackingId}`);
  const playback = async (vodId: string, trackingId: string) =>
    bodyOf(200, await shop.api.call('GET', `/embed/playback?vod=${vodId}&trackingId=${trackingId}`)).playback;
  const playsWhole = (page: string) => !page.includes('data-control="pay"') && !/data-source="[^"]*preview/.test(page);

  it('returns 200 with a checkout that returns only to this page, which plays after the payment', async () => {
    const { vodId } = await shop.published();
    const { url, trackingId } = await start(vodId);
    const page = `${shop.ctx.config.service.publicUrl}/embed/?vod=${vodId}`;
    const order = await findOrder(shop.ctx, await referenceOf(shop.ctx, trackingId));
    expect(url).to.equal(`${shop.ctx.config.service.publicUrl}/sandbox/checkout/${order?.reference}`);
    expect(order).to.include({ returnUrl: `${page}&trackingId=${trackingId}`, cancelUrl: `${page}&cancelled=1` });
    expect(playsWhole((await open(vodId, trackingId)).text)).to.equal(false);
    expect(await playback(vodId, trackingId)).to.include({ result: 'PAYMENT_REQUIRED', path: '', isAwaited: true });
    await payInSandbox(shop.ctx, trackingId);
    const paid = await open(vodId, trackingId.toUpperCase());
    expect(playsWhole(paid.text)).to.equal(true);
    expect(paid.text).to.include(`&amp;trackingId=${trackingId}`);
    expect(paid.text.match(/<link rel="canonical" href="([^"]*)"/)?.[1]).to.equal(page);
    expect(paid.headers.get('x-robots-tag')).to.equal('noindex');
    expect((await playback(vodId, trackingId)).result).to.equal('PLAY');
    expect(playsWhole((await open(vodId, '')).text)).to.equal(false);
  });

  it('ignores a malformed, unknown or foreign tracking id, and discloses nothing about it', async () => {
    const [{ vodId }, { vodId: other }] = [await shop.published(), await shop.published()];
    const ofOther = await shop.paid(other, null);
    const ofUser = await shop.paid(vodId, shop.viewer);
    const malformed = ['null', `x${'y'.repeat(500)}`, 'a&trackingId=b', '%22%3E%3Cscript%3E'];
    const supplied = [ofOther, ofUser, randomUUID(), ...malformed];
    for (const trackingId of supplied) {
      const page = await open(vodId, trackingId);
      expect([page.status, playsWhole(page.text)], trackingId).to.deep.equal([200, false]);
      expect(page.text).to.not.include('<script>');
      expect(await playback(vodId, trackingId), trackingId).to.deep.equal({ result: 'PAYMENT_REQUIRED', path: '' });
    }
  });

  it('shows the reason if a payment does not play', async () => {
    const { vodId } = await shop.published();
    const rejected = (await start(vodId)).trackingId;
    await rejectInSandbox(shop.ctx, rejected);
    expect(await playback(vodId, rejected)).to.include({ isAwaited: true });
    expect(await playback(vodId, rejected))
      .to.include({ isAwaited: false })
      .and.property('message')
      .to.match(/rejected/);
    const used = (await start(vodId)).trackingId;
    await payInSandbox(shop.ctx, used);
    expect((await playback(vodId, used)).result).to.equal('PLAY');
    await shop.ctx.db.change('UPDATE entitlements SET expires_at = granted_at WHERE tracking_id = $used', { used });
    expect(await playback(vodId, used))
      .to.include({ isAwaited: false })
      .and.property('message')
      .to.match(/has expired/);
  });

  it('plays a paid video after its withdrawal and without band, and accepts no further payments', async () => {
    const publisher = await shop.seller();
    const { vodId } = await shop.published(perView, {}, publisher);
    const { trackingId } = await start(vodId);
    await payInSandbox(shop.ctx, trackingId);
    expect(playsWhole((await open(vodId, trackingId)).text)).to.equal(true);
    await recordBand(shop.ctx, new Map([[publisher.userId, 10 ** 15]]));
    const unpaid = (await open(vodId, '')).text;
    expect(unpaid).to.include('cannot show more videos').and.not.include('data-control="pay"');
    expect((await startAt({ vod: vodId })).status).to.equal(409);
    expect(playsWhole((await open(vodId, trackingId)).text)).to.equal(true);
    expect((await shop.remove(vodId, publisher)).status).to.equal(204);
    expect((await open(vodId, randomUUID())).status).to.equal(404);
    expect(playsWhole((await open(vodId, trackingId)).text)).to.equal(true);
  });

  it('returns 200 with the price while the provider is down, but 503 with a message to the script and to a buyer', async () => {
    const { vodId } = await shop.published();
    const { trackingId } = await start(vodId);
    sinon.stub(shop.ctx.payments.provider, 'verify').rejects(new Error('away'));
    sinon.stub(shop.ctx.payments.provider, 'create').rejects(new Error('away'));
    const page = await open(vodId, trackingId);
    expect([page.status, playsWhole(page.text)]).to.deep.equal([200, false]);
    const asked = await shop.api.call('GET', `/embed/playback?vod=${vodId}&trackingId=${trackingId}`);
    for (const response of [asked, await startAt({ vod: vodId })])
      expect(bodyOf(503, response).message).to.match(/payment service cannot be reached/);
  });

  it('returns 400, 403 for other sites, 404, and 409 for a video that is free or sold in a bundle', async () => {
    const { vodId } = await shop.published();
    for (const body of [{}, { vod: 'no' }, { vod: `${vodId}&returnUrl=https://evil.example` }])
      expect((await startAt(body)).status).to.equal(400);
    for (const headers of [{ origin: 'https://evil.example' }, { 'sec-fetch-site': 'cross-site' }])
      expect((await startAt({ vod: vodId }, headers)).status).to.equal(403);
    expect((await startAt({ vod: randomUUID() })).status).to.equal(404);
    const free = await shop.published({ licenseType: 'FREE' });
    const bundled = await shop.published(inBundle(await shop.newBundle()));
    for (const item of [free, bundled]) expect((await startAt({ vod: item.vodId })).status).to.equal(409);
  });
});
