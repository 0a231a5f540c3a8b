import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { useFixture } from '../../support/fixtures.js';
import { liveCaches } from '../../../shared/streaming/liveTimeline.js';
import { recordBand } from '../../../shared/license/band.service.js';
import { liveFileKey } from '../../../shared/streaming/liveRendition.js';
import { stillImageFile } from '../../../shared/streaming/liveStillImage.js';
import type { TestRun } from '../../support/liveStreams.js';
import { rejectInSandbox } from '../../support/payments.js';
import { bodyOf } from '../../support/api.js';
import { openLiveShop, perEvent, seedRecording } from './liveShop.js';
import { paymentsPerHour } from '../../../shared/payment/paymentAttempts.js';

describe('GET /embed of live events, GET /embed/live, POST /embed/pay', () => {
  const shop = useFixture(openLiveShop);

  const page = (query: string, language = 'en') =>
    shop.api.call('GET', `/embed/?${query}`, { headers: { 'accept-language': language } });
  const status = async (query: string) => bodyOf(200, await shop.api.call('GET', `/embed/live?${query}`)).status;
  const pay = (event: string, headers: Record<string, string> = {}) =>
    shop.api.call('POST', '/embed/pay', { body: { event }, headers });

  it('returns 200 with the phase of an event: before, waiting for an encoder, on air, over', async () => {
    const { eventId, channel } = await shop.event(10, 20);
    const before = await status(`event=${eventId}`);
    expect(before).to.include({
      eventId,
      title: 'Descent',
      phase: 'BEFORE',
      result: 'MESSAGE',
      address: '',
      message: null,
    });
    expect(before.now).to.equal(shop.ctx.clock.now().getTime());
    expect((before.startsAt - before.now) / 60_000).to.be.closeTo(10, 0.1);
    shop.advanceTo(new Date(before.startsAt), 1000);
    expect(await status(`event=${eventId}`)).to.include({ phase: 'WAITING', result: 'MESSAGE' });
    await shop.publish(channel.channelId);
    const onAir = await status(`event=${eventId}`);
    expect(onAir).to.include({ phase: 'ON_AIR', result: 'PLAY', pay: null });
    expect((await shop.api.call('GET', onAir.address)).text).to.match(/^#EXTM3U/);
    shop.advanceTo(new Date(before.endsAt));
    expect(await status(`event=${eventId}`)).to.include({ phase: 'OVER', address: '', recording: null });
  });

  it('returns 200 with the player of the published recording after the event', async () => {
    const { eventId, endsAt } = await shop.onAir({});
    const { boxId } = await seedRecording(shop, eventId);
    const { vodId } = bodyOf(201, await shop.post(`/api/box/${boxId}/vod`, { licenseType: 'FREE' }));
    expect(await status(`event=${eventId}`), 'while it is on air').to.include({ phase: 'ON_AIR', recording: null });
    shop.advanceTo(endsAt);
    const { recording } = await status(`event=${eventId}`);
    expect(recording).to.equal(`/embed/?vod=${vodId}`);
    expect((await shop.api.call('GET', recording)).status).to.equal(200);
  });

  it('returns 200 with a page that has state, poster and controls, for frames on other sites', async () => {
    const { eventId } = await shop.event(10, 20, { name: 'Snow </script> & "ice"' });
    const { text, headers, status: code } = await page(`event=${eventId}`, 'it');
    expect(code).to.equal(200);
    expect(text).to.include('<html lang="it">').and.include('Snow &lt;/script&gt; &amp; &quot;ice&quot;');
    expect(text)
      .to.include('media-live-button')
      .and.include('data-live="{&quot;eventId&quot;')
      .and.include('Vai in diretta');
    expect(text.match(/<script/g)).to.have.lengthOf(1);
    expect(headers.get('content-security-policy')).to.include('frame-ancestors *').and.not.include('unsafe');
    expect(headers.get('x-frame-options')).to.equal(null);
  });

  it('returns 200 for a channel with its current, next or last event; an unlisted event only while it lasts', async () => {
    const channelId = await shop.channel();
    expect((await page(`live=${channelId}`)).text)
      .to.include('No live event is planned')
      .and.not.include('<script');
    const last = await shop.event(-30, -20, {}, channelId);
    expect((await status(`live=${channelId}`)).eventId).to.equal(last.eventId);
    const later = await shop.event(40, 50, {}, channelId);
    expect((await status(`live=${channelId}`)).eventId).to.equal(later.eventId);
    await shop.event(20, 30, { publicEvent: false }, channelId);
    const next = await shop.event(31, 32, {}, channelId);
    expect((await status(`live=${channelId}`)).eventId).to.equal(next.eventId);
    const present = await shop.event(-1, 1, { publicEvent: false }, channelId);
    expect((await status(`live=${channelId}`)).eventId).to.equal(present.eventId);
    expect((await page(`live=${channelId}`)).text).to.include(present.eventId);
  });

  it('returns 200 with the price of a paid event until it is paid, before the event and on air', async () => {
    const { eventId, channel } = await shop.event(10, 60, perEvent);
    expect(await status(`event=${eventId}`)).to.include({
      phase: 'BEFORE',
      result: 'PAYMENT_REQUIRED',
      pay: 'Pay €4.00',
    });
    const trackingId = await shop.paid(eventId, null);
    const paid = await status(`event=${eventId}&trackingId=${trackingId}`);
    expect(paid).to.include({ phase: 'BEFORE', result: 'MESSAGE', pay: null });
    expect(paid.message).to.include('Paid');
    shop.advanceTo(new Date(paid.startsAt), 1000);
    await shop.publish(channel.channelId);
    const unpaid = await status(`event=${eventId}&trackingId=${randomUUID()}`);
    expect(unpaid).to.include({ phase: 'ON_AIR', result: 'PAYMENT_REQUIRED', address: '', pay: 'Pay €4.00' });
    expect((await status(`event=${eventId}&trackingId=${trackingId}`)).result).to.equal('PLAY');
  });

  it('returns 200 with the item, period and time of the purchase, in the region format of the browser', async () => {
    const members = { ...perEvent, description: 'Down <the> hill', recordEvent: true };
    const { eventId } = await shop.event(10, 60, members);
    const { startsAt } = await status(`event=${eventId}`);
    const british = (await page(`event=${eventId}`, 'en-GB')).text;
    expect(british)
      .to.include('<p class="about">Down &lt;the&gt; hill</p>')
      .and.include('until the event ends. A recording is not included.')
      .and.include(`datetime="${new Date(startsAt).toISOString()}"`)
      .and.match(/>\s*\w+day,? \d+ \w+ \d{4}[^<]* \(UTC\)<\/time\s*>/)
      .and.include('data-locale="en-GB"');
    const ofRegion = async (language: string) => {
      const headers = { 'accept-language': language };
      return bodyOf(200, await shop.api.call('GET', `/embed/live?event=${eventId}`, { headers })).status.pay;
    };
    expect(await ofRegion('it-IT')).to.match(/^Paga 4,00\s€$/);
    expect(await ofRegion('pt-BR')).to.match(/^Pagar €\s4,00$/);
    expect(await ofRegion('nl-NL')).to.equal('Pay €4.00');
  });

  it('offers no payment while no encoder publishes, while the band is used up, and after the event', async () => {
    const publisher = await shop.newPublisher();
    const { eventId, channel } = await shop.event(10, 60, perEvent, undefined, publisher);
    const { startsAt, endsAt } = await status(`event=${eventId}`);
    const trackingId = await shop.paid(eventId, null);
    const band = (bytes: number) => recordBand(shop.ctx, new Map([[publisher.userId, bytes]]));
    await band(10 ** 15);
    const usedUp = await status(`event=${eventId}`);
    expect(usedUp).to.include({ phase: 'BEFORE', result: 'MESSAGE', pay: null });
    expect(usedUp.message).to.include('cannot be paid for');
    expect((await status(`event=${eventId}&trackingId=${trackingId}`)).message).to.include('Paid');
    await band(-(10 ** 15));
    expect((await status(`event=${eventId}`)).pay).to.equal('Pay €4.00');
    shop.advanceTo(new Date(startsAt), 1000);
    const silent = await status(`event=${eventId}`);
    expect(silent).to.include({ phase: 'WAITING', result: 'MESSAGE', pay: null });
    expect(silent.message).to.include('when the event is on air');
    await shop.publish(channel.channelId, publisher);
    expect(await status(`event=${eventId}`)).to.include({ phase: 'ON_AIR', pay: 'Pay €4.00' });
    shop.advanceTo(new Date(endsAt), 1000);
    expect(await status(`event=${eventId}`)).to.include({ phase: 'OVER', result: 'MESSAGE', pay: null });
  });

  it('returns 200 with a still image of the broadcast to permitted viewers, and with none of another event', async () => {
    const { ctx, api } = shop;
    const { eventId, channel } = await shop.event(0, 1);
    const { startsAt, endsAt } = await status(`event=${eventId}`);
    const next = await shop.event(1, 30, perEvent, channel.channelId);
    const putStillImage = (run: TestRun, text: string) => {
      const file = stillImageFile({ runId: run.runId, startsAtMs: ctx.clock.now().getTime() });
      return ctx.storage.put(liveFileKey(run.folder, file), Buffer.from(text), { contentType: 'image/jpeg' });
    };
    const stillOf = async (query: string): Promise<string | null> => {
      liveCaches(ctx).timelines.expire(channel.channelId);
      return (await status(query)).still;
    };
    shop.advanceTo(new Date(startsAt), 1000);
    const run = await shop.publish(channel.channelId);
    expect(await stillOf(`event=${eventId}`), 'before it is stored').to.equal(null);
    await putStillImage(run, 'free');
    const free = await stillOf(`event=${eventId}`);
    const sent = await api.call('GET', free ?? '');
    expect([sent.status, sent.text, sent.headers.get('content-type')]).to.deep.equal([200, 'free', 'image/jpeg']);
    expect(sent.headers.get('cache-control')).to.equal('private, max-age=10');

    const trackingId = await shop.paid(next.eventId, null);
    const paid = `event=${next.eventId}&trackingId=${trackingId}`;
    shop.advanceTo(new Date(endsAt), 1000);
    await shop.feed(run);
    expect(await stillOf(paid), 'of the previous event').to.equal(null);
    await putStillImage(run, 'paid');
    expect((await api.call('GET', (await stillOf(paid)) ?? '')).text).to.equal('paid');
    expect(await stillOf(`event=${next.eventId}`), 'unpaid').to.equal(null);
    expect((await api.call('GET', free ?? '')).text, 'with the URL of the free event').to.equal('free');
    shop.advanceTo(new Date(endsAt), 3 * 60_000);
    expect(await stillOf(paid), 'too old').to.equal(null);
  });

  it('returns 200 with checkout and tracking id; the page then shows whether the payment is awaited or rejected', async () => {
    const { eventId } = await shop.event(10, 60, perEvent);
    const { url, trackingId } = bodyOf(200, await pay(eventId));
    expect(url).to.include('/sandbox/checkout/');
    const unpaid = { result: 'PAYMENT_REQUIRED', pay: 'Pay €4.00' };
    expect(await status(`event=${eventId}&trackingId=${trackingId}`)).to.include({ ...unpaid, isAwaited: true });
    expect(await status(`event=${eventId}`))
      .to.include(unpaid)
      .and.not.have.property('isAwaited');
    const other = await shop.event(70, 80, perEvent);
    expect(await status(`event=${other.eventId}&trackingId=${trackingId}`)).to.not.have.property('isAwaited');
    const [order] = await shop.ctx.db.rows<{ returnUrl: string; cancelUrl: string }>(
      'SELECT return_url, cancel_url FROM sandbox_orders WHERE reference = $reference',
      { reference: url.split('/').at(-1) },
    );
    const { publicUrl } = shop.ctx.config.service;
    const address = `${publicUrl}/embed/?event=${eventId}`;
    expect(order).to.deep.equal({ returnUrl: `${address}&returned=1`, cancelUrl: `${address}&cancelled=1` });
    await rejectInSandbox(shop.ctx, trackingId);
    // The first request gets the rejection from the provider.
    await status(`event=${eventId}&trackingId=${trackingId}`);
    expect(await status(`event=${eventId}&trackingId=${trackingId}`))
      .to.include({ ...unpaid, isAwaited: false })
      .and.property('message')
      .to.match(/rejected.* requires a payment/);
  });

  it('returns 400 without an event, 403 from another site, 409 for a free event and 429 above the payment limit', async () => {
    const { eventId: gratis } = await shop.event(10, 60);
    expect(bodyOf(409, await pay(gratis)).message).to.equal('This event is free: no payment is required.');
    const { eventId } = await shop.event(10, 60, perEvent);
    bodyOf(403, await pay(eventId, { 'sec-fetch-site': 'cross-site' }));
    bodyOf(400, await shop.api.call('POST', '/embed/pay', { body: {} }));
    shop.ctx.limits.set(paymentsPerHour, 1);
    await pay(eventId);
    bodyOf(429, await pay(eventId));
    shop.ctx.limits.set(paymentsPerHour, 1_000_000);
  });

  it('returns 404 for unknown events and channels, for pages and states', async () => {
    for (const id of [randomUUID(), 'none', "'; --"])
      for (const name of ['event', 'live']) {
        const query = `${name}=${encodeURIComponent(id)}`;
        const unknown = await page(query);
        expect([unknown.status, unknown.text.includes('not available')], query).to.deep.equal([404, true]);
        bodyOf(404, await shop.api.call('GET', `/embed/live?${query}`));
      }
    bodyOf(404, await shop.api.call('GET', '/embed/live'));
    bodyOf(404, await pay(randomUUID()));
  });
});
