import { expect } from 'chai';
import { seedStream } from '../../support/contents.js';
import { inBundle, openShop, perView, type Shop } from '../vod/shop.js';

describe('GET /embed of a paid item', () => {
  let shop: Shop;

  before(async () => {
    shop = await openShop();
  });
  after(() => shop?.close());

  const open = (vodId: string, language = 'en', headers: Record<string, string> = {}) =>
    shop.api.call('GET', `/embed/?vod=${vodId}`, { headers: { 'accept-language': language, ...headers } });

  it('200 with the preview, title, publisher, thumbnail and a button with the localized price, and no way to the whole video', async () => {
    const { vodId, boxId, folder } = await shop.published(perView, { title: 'Snow', description: 'White' });
    await seedStream(shop.ctx, folder);
    const thumbnailId = 'b9a1c9a0-5b0d-4c2a-9f0b-6c1d6f8c1a11';
    await shop.ctx.db.change(
      `INSERT INTO thumbnails (id, owner_id, storage_key, mime_type, bytes, width, height, created_at)
       VALUES ($thumbnailId, $ownerId, 'none', 'image/png', 1, 1, 1, $now)`,
      { thumbnailId, ownerId: shop.publisher.userId, now: shop.ctx.clock.now() },
    );
    await shop.ctx.db.change('UPDATE box_items SET thumbnail_id = $thumbnailId WHERE id = $boxId', {
      thumbnailId,
      boxId,
    });
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
  });

  it('200 with the bundle, its price and its period', async () => {
    const bundleId = await shop.newBundle({ name: 'Alps <3', price: '9,90', duration: 30, durationUnit: 'DAYS' });
    const { vodId } = await shop.published(inBundle(bundleId));
    expect((await open(vodId)).text)
      .to.include('requires a subscription')
      .and.include('>Alps &lt;3: €9.90 / 30 days<')
      .and.include('sign in')
      .and.not.include('data-control="pay"');
    expect((await open(vodId, 'fr')).text)
      .to.include('nécessite un abonnement')
      .and.match(/Alps &lt;3: 9,90\s€ \/ 30\sjours</);
  });

  it('200 with the price for the publisher, too: the page has no login', async () => {
    const { vodId } = await shop.published();
    const page = await open(vodId, 'en', { authorization: `Bearer ${shop.publisher.token}` });
    expect(page.text).to.include('requires a payment');
    const { status, body } = await shop.api.call('GET', `/embed/playback?vod=${vodId}`);
    expect([status, body.playback]).to.deep.equal([200, { result: 'PAYMENT_REQUIRED', path: '' }]);
  });
});
