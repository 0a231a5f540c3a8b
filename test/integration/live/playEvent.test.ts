import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { recordBand } from '../../../shared/license/band.service.js';
import { bodyOf } from '../../support/api.js';
import { openLiveShop, seedRecording } from './liveShop.js';
import { changeRow } from '../../support/rows.js';
import { Content } from '../../../shared/content/content.model.js';
import { useFixture } from '../../support/fixtures.js';

const free = { paymentMode: 'FREE' } as const;
const nothing = { srcs: [], mimeType: '', file: '', streamer: '', uniqueStreamer: '' };

describe('POST /api/live/event/{eventId}/play and /api/public/live/event/{eventId}/play', () => {
  const shop = useFixture(openLiveShop);

  /** The message on both paths, which must be equal. */
  async function messageOf(eventId: string, headers: Record<string, string> = {}): Promise<string> {
    const messages = [];
    for (const [, by] of shop.payers) {
      const { resource, result, message, ...rest } = bodyOf(200, await shop.play(eventId, by, {}, headers));
      expect(rest).to.deep.equal(nothing);
      expect([result, resource.eventId]).to.deep.equal(['MESSAGE', eventId]);
      messages.push(message);
    }
    expect(messages[0]).to.equal(messages[1]);
    return messages[0];
  }

  it('returns 200 PLAY with working HLS URLs, one of them new each time, and the public view of the event', async () => {
    const { eventId } = await shop.onAir(free);
    for (const [who, by] of shop.payers) {
      const body = bodyOf(200, await shop.play(eventId, by));
      const { streamer, uniqueStreamer } = body;
      expect(body, who).to.deep.equal({
        resource: (await shop.get(`/api/public/live/event/${eventId}`, shop.anybody)).body,
        result: 'PLAY',
        srcs: [{ mimeType: 'application/x-mpegurl', streamer, uniqueStreamer }],
        mimeType: 'application/x-mpegurl',
        file: `live/${eventId}/master.m3u8`,
        streamer,
        uniqueStreamer,
      });
      expect(body.resource).to.include({ onAir: true });
      const again = bodyOf(200, await shop.play(eventId, by));
      expect([again.streamer === streamer, again.uniqueStreamer === uniqueStreamer], who).to.deep.equal([true, false]);
      expect(streamer.includes(shop.viewer.userCode), who).to.equal(by === shop.viewer);
      for (const address of [streamer, uniqueStreamer]) {
        expect(address).to.match(/^http:\/\/.*\/s\/.*\.live\./);
        expect((await shop.api.call('GET', new URL(address).pathname)).status).to.equal(200);
        const elsewhere = new URL(address).pathname.replace(eventId, randomUUID());
        expect((await shop.api.call('GET', elsewhere)).status).to.equal(403);
      }
    }
  });

  it('returns 200 PLAY for a free event with any tracking id, and for an unlisted event', async () => {
    const { eventId } = await shop.onAir({ ...free, publicEvent: false });
    for (const trackingId of [randomUUID(), '', 'null', 'undefined', null, 7])
      expect(await shop.resultOf(eventId, null, trackingId)).to.equal('PLAY');
  });

  it('returns 200 PLAY for the owner of a sold event', async () => {
    const { eventId } = await shop.onAir();
    expect(await shop.resultOf(eventId, shop.publisher)).to.equal('PLAY');
    const path = `/api/public/live/event/${eventId}/play`;
    expect(bodyOf(200, await shop.post(path, {}, shop.publisher.token)).result).to.equal('PLAY');
  });

  it('returns 200 MESSAGE before the event with its time in the request’s language and time zone, also to the owner', async () => {
    const { eventId } = await shop.event(0, 10, {
      eventDate: { date: '31/12/2040', time: '23:30:00' },
      endDate: { date: '01/01/2041', time: '00:30:00' },
    });
    expect(await messageOf(eventId)).to.equal('This event starts on 31/12/2040 at 23:30.');
    const french = { 'accept-language': 'fr', 'x-service-timezone': '3600000' };
    expect(await messageOf(eventId, french)).to.equal('Cet événement commence le 01/01/2041 à 00:30.');
    const german = { 'accept-language': 'de-AT', 'x-service-timezone': '3600000' };
    expect(await messageOf(eventId, german)).to.equal('Dieses Event beginnt am 01.01.2041 um 00:30 Uhr.');
    expect(bodyOf(200, await shop.play(eventId, shop.publisher)).result).to.equal('MESSAGE');
  });

  it('returns 200 MESSAGE without a publication, and between the encoder’s start and the first segment', async () => {
    const { eventId, channel } = await shop.event(-1, 10, {});
    expect(await messageOf(eventId)).to.match(/^This event was to start on .* Nothing is being broadcast/);
    const run = await shop.publish(channel.channelId);
    shop.ctx.clock.advance(30_000);
    expect(await shop.resultOf(eventId, null), 'during a drop of the encoder').to.equal('PLAY');
    await shop.loseSegments(run);
    expect(await messageOf(eventId)).to.equal('The broadcast starts in a moment.');
    shop.ctx.clock.advance(61_000);
    expect(await messageOf(eventId)).to.match(/Nothing is being broadcast/);
  });

  it('returns 200 MESSAGE for media before the event, and PLAY from its first segment on', async () => {
    const channelId = await shop.channel();
    const run = await shop.publish(channelId);
    const { eventId } = await shop.event(1, 10, {}, channelId);
    shop.ctx.clock.advance(30_000);
    await shop.feed(run);
    shop.ctx.clock.advance(30_000);
    expect(await messageOf(eventId)).to.equal('The broadcast starts in a moment.');
    await shop.feed(run);
    expect(await shop.resultOf(eventId, null)).to.equal('PLAY');
  });

  it('returns 200 MESSAGE after the end, which mentions a playable recording', async () => {
    const { eventId, run, endsAt } = await shop.onAir(free);
    shop.advanceTo(endsAt, -1);
    await shop.feed(run);
    expect(await shop.resultOf(eventId, null)).to.equal('PLAY');
    shop.advanceTo(endsAt);
    expect(await messageOf(eventId)).to.equal('This event is over.');
    const { boxId, contentId } = await seedRecording(shop, eventId);
    expect(await messageOf(eventId), 'in the box, not published').to.equal('This event is over.');
    bodyOf(201, await shop.post(`/api/box/${boxId}/vod`, { licenseType: 'FREE', public: false }));
    expect(await messageOf(eventId)).to.equal('This event is over. Its recording has been published.');
    await changeRow(shop.ctx, Content, contentId, { state: 'FAILED' });
    expect(await messageOf(eventId), 'it cannot be watched').to.equal('This event is over.');
  });

  it('returns 200 BAND_LIMIT_EXCEEDED and requests no payment when the publisher has used up the monthly band', async () => {
    const publisher = await shop.newPublisher();
    const [gratis, sold] = [await shop.onAir(free, publisher), await shop.onAir(undefined, publisher)];
    await recordBand(shop.ctx, new Map([[publisher.userId, 5 * 1024 ** 3]]));
    for (const { eventId } of [gratis, sold])
      for (const [, by] of [...shop.payers, ['the owner', publisher] as const])
        expect(bodyOf(200, await shop.play(eventId, by))).to.deep.include({
          result: 'BAND_LIMIT_EXCEEDED',
          ...nothing,
        });
  });

  it('returns 404 for an unknown, malformed or deleted id, and for a disabled publisher', async () => {
    const publisher = await shop.newPublisher();
    const hidden = await shop.onAir(free, publisher);
    const ended = await shop.event(-20, -10, {}, undefined, publisher);
    bodyOf(204, await shop.post('/api/user/me/disable', {}, publisher.token));
    const deleted = await shop.event(10, 20);
    expect((await shop.remove(`/api/live/event/${deleted.eventId}`)).status).to.equal(204);
    for (const id of [randomUUID(), 'event', hidden.eventId, ended.eventId, deleted.eventId])
      for (const [, by] of shop.payers) bodyOf(404, await shop.play(id, by));
  });
});
