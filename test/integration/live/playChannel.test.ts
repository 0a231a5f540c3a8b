import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { recordBand } from '../../../shared/license/band.service.js';
import { liveScopes } from '../../../shared/liveScopes.js';
import { formatDateTime } from '../../../shared/platform/formats/format.js';
import { fixedZone } from '../../../shared/platform/formats/timeZone.js';
import { type TestUser, bodyOf } from '../../support/api.js';
import { useFixture } from '../../support/fixtures.js';
import { openLiveShop, perEvent } from './liveShop.js';

const free = { paymentMode: 'FREE' } as const;

describe('playing a live channel', () => {
  const shop = useFixture(openLiveShop);

  describe('POST /api/live/channel/{channelId}/play and /api/public/live/channel/{channelId}/play', () => {
    const play = (channelId: string, by: TestUser | null, body: object = {}) =>
      by
        ? shop.post(`/api/live/channel/${channelId}/play`, body, by.token)
        : shop.post(`/api/public/live/channel/${channelId}/play`, body, shop.anybody);

    it('returns 200 PLAY with the event on air, and 200 MESSAGE before its first segment', async () => {
      const channelId = await shop.channel({ public: false });
      await shop.event(-20, -10, {}, channelId);
      const { eventId } = await shop.event(0, 10, {}, channelId);
      await shop.event(10, 20, {}, channelId);
      const run = await shop.publish(channelId);
      for (const [, by] of shop.payers) {
        const body = bodyOf(200, await play(channelId, by));
        expect(body).to.include({ result: 'PLAY', file: `live/${eventId}/master.m3u8` });
        expect(body.resource).to.deep.equal((await shop.get(`/api/public/live/event/${eventId}`, shop.anybody)).body);
        expect(body.resource.channel.publisher.userCode).to.equal(shop.publisher.userCode);
      }
      await shop.loseSegments(run);
      const { result, message } = bodyOf(200, await play(channelId, null));
      expect([result, message]).to.deep.equal(['MESSAGE', 'The broadcast starts in a moment.']);
    });

    it('returns 200 PAYMENT_REQUIRED for a sold event, and plays it with the event’s payment', async () => {
      const { channelId, eventId } = await shop.onAir();
      for (const [, by] of shop.payers) {
        expect(bodyOf(200, await play(channelId, by))).to.deep.include({ result: 'PAYMENT_REQUIRED', srcs: [] });
        const trackingId = await shop.paid(eventId, by);
        expect(bodyOf(200, await play(channelId, by, { trackingId })).result).to.equal('PLAY');
      }
      expect(bodyOf(200, await play(channelId, shop.viewer)).result).to.equal('PLAY');
      expect(bodyOf(200, await play(channelId, null)).result).to.equal('PAYMENT_REQUIRED');
    });

    it('returns 404 if no event is on air: none exists, none is current, or no encoder publishes', async () => {
      const none = await shop.channel();
      await shop.publish(none);
      const later = await shop.channel();
      await shop.event(-20, -1, {}, later);
      await shop.event(10, 20, {}, later);
      await shop.publish(later);
      const silent = await shop.event(0, 10);
      const publisher = await shop.newPublisher();
      const hidden = await shop.onAir({}, publisher);
      bodyOf(204, await shop.post('/api/user/me/disable', {}, publisher.token));
      for (const id of [none, later, silent.channel.channelId, hidden.channelId, randomUUID(), 'channel'])
        for (const [, by] of shop.payers) bodyOf(404, await play(id, by));
    });
  });

  describe('POST /api/live/channel/{channelId}/test', () => {
    const test = (channelId: string, token = shop.publisher.token, headers = {}) =>
      shop.post(`/api/live/channel/${channelId}/test`, undefined, token, headers);

    it('returns 200 PLAY with the channel before, during and without an event, for this channel only', async () => {
      const channelId = await shop.channel();
      await shop.publish(channelId);
      const during = await shop.onAir({});
      const sold = await shop.onAir(perEvent);
      const statusOf = async (address: string) => (await shop.api.call('GET', new URL(address).pathname)).status;
      const tested: string[] = [];
      for (const id of [channelId, during.channelId, sold.channelId]) {
        const body = bodyOf(200, await test(id));
        expect(body).to.include({ result: 'PLAY', file: `live/${id}/master.m3u8` });
        expect(body.resource).to.deep.equal((await shop.get(`/api/live/channel/${id}`)).body);
        expect(await statusOf(body.streamer)).to.equal(200);
        tested.push(body.streamer.replace(id, channelId === id ? during.channelId : channelId));
      }
      const { streamer } = bodyOf(200, await shop.play(during.eventId, null));
      for (const forged of [streamer.replace(during.eventId, during.channelId), ...tested])
        expect(await statusOf(forged)).to.equal(403);
    });

    it('returns 200 MESSAGE in the request’s language without a publication and before its first segment', async () => {
      const channelId = await shop.channel();
      const messageOf = async (language: string) => {
        const { result, message, srcs } = bodyOf(
          200,
          await test(channelId, undefined, { 'accept-language': language }),
        );
        expect([result, srcs]).to.deep.equal(['MESSAGE', []]);
        return message;
      };
      expect(await messageOf('en')).to.match(/^Nothing is being published to this channel/);
      expect(await messageOf('pt')).to.match(/^Nada está a ser publicado/);
      await shop.loseSegments(await shop.publish(channelId));
      expect(await messageOf('en')).to.equal('The broadcast starts in a moment.');
    });

    it('returns 200 BAND_LIMIT_EXCEEDED when the monthly band is used up', async () => {
      const publisher = await shop.newPublisher();
      const { channelId } = await shop.onAir({}, publisher);
      await recordBand(shop.ctx, new Map([[publisher.userId, 5 * 1024 ** 3]]));
      expect(bodyOf(200, await test(channelId, publisher.token)).result).to.equal('BAND_LIMIT_EXCEEDED');
    });
  });

  /** Players send no token. */
  describe('GET /api/public/live/channel/{channelId}/playlist.m3u8 and /api/public/live/event/{eventId}/playlist.m3u8', () => {
    const both = ({ channelId, eventId }: { readonly channelId: string; readonly eventId: string }) =>
      Promise.all(
        [`channel/${channelId}`, `event/${eventId}`].map((item) =>
          shop.api.call('GET', `/api/public/live/${item}/playlist.m3u8`),
        ),
      );

    it('returns 302 to the continuous form of the event, with one session per player, and is not cached', async () => {
      const event = await shop.onAir(free);
      const locations = new Set<string>();
      for (const response of [...(await both(event)), ...(await both(event))]) {
        expect([response.status, response.headers.get('cache-control')]).to.deep.equal([302, 'no-store']);
        const master = new URL(response.headers.get('location') ?? '');
        locations.add(master.href);
        expect(master.pathname).to.match(new RegExp(`/live/${event.eventId}/continuous/master\\.m3u8$`));
        expect((await shop.api.call('GET', master.pathname)).text).to.match(/TYPE=AUDIO.*\n[^]*\nvideo-240p\.m3u8\n/);
        const list = await shop.api.call('GET', master.pathname.replace('master', 'video-240p'));
        expect(list.text).to.match(/\n[-0-9a-f]{36}\/0\/video-240p\.m4s\n/);
      }
      expect(locations.size).to.equal(4);
    });

    it('returns 402 for a sold event, and 403 when the publisher has used up the monthly band', async () => {
      const publisher = await shop.newPublisher();
      for (const response of await both(await shop.onAir(undefined, publisher))) bodyOf(402, response);
      const event = await shop.onAir(free, publisher);
      await recordBand(shop.ctx, new Map([[publisher.userId, 500 * 1024 ** 3]]));
      for (const response of await both(event)) bodyOf(403, response);
    });

    it('returns 404 before the event, before its first segment and after it, for an unknown id and a disabled publisher', async () => {
      const starting = await shop.onAir(free);
      await shop.loseSegments(starting.run);
      const publisher = await shop.newPublisher();
      const hidden = await shop.onAir(free, publisher);
      bodyOf(204, await shop.post('/api/user/me/disable', {}, publisher.token));
      const over = await shop.onAir(free);
      shop.advanceTo(over.endsAt);
      const early = await shop.event(1, 10);
      const before = { channelId: early.channel.channelId, eventId: early.eventId };
      for (const event of [before, starting, hidden, over, { channelId: randomUUID(), eventId: 'none' }])
        for (const response of await both(event)) bodyOf(404, response);
    });
  });

  describe('`myPlayHlsUrl` and `playUrlExpireDate` of POST /api/search/live/events', () => {
    it('contain the owner’s full grant and its end in the caller’s time zone, also for a sold event, and only there', async () => {
      const { channelId, eventId, endsAt } = await shop.onAir(perEvent);
      await shop.drained();
      const hour = 3_600_000;
      const zone = { 'x-service-timezone': `${hour}` };
      const search = await shop.post('/api/search/live/events', { channelId }, undefined, zone);
      const [{ myPlayHlsUrl, playUrlExpireDate }] = bodyOf(200, search).items;
      expect(playUrlExpireDate).to.deep.equal(formatDateTime(new Date(endsAt.getTime() + 60_000), fixedZone(hour)));
      expect(myPlayHlsUrl).to.include(`.live.`).and.include(`.${shop.publisher.userCode}.${shop.publisher.userCode}.`);
      const found = bodyOf(200, await shop.post('/api/public/search/live/events', { channelId }, shop.anybody));
      for (const shown of [found.items[0], bodyOf(200, await shop.get(`/api/live/event/${eventId}`))])
        expect(shown).to.include({ eventId }).and.not.have.any.keys('myPlayHlsUrl', 'playUrlExpireDate');
      const statusOf = async () => (await shop.api.call('GET', new URL(myPlayHlsUrl).pathname)).status;
      expect(await statusOf()).to.equal(200);
      shop.advanceTo(endsAt, 59_999);
      expect(await statusOf()).to.not.equal(403);
      shop.advanceTo(endsAt, 60_000);
      expect(await statusOf()).to.equal(403);
    });
  });

  describe('the grant of a live channel or event', () => {
    it('opens the current times of an event or all of a channel, and nothing after a deletion or for a disabled publisher', async () => {
      const scopeOf = (id: string) => liveScopes.find(shop.ctx, id);
      const minutesOf = (scope: Awaited<ReturnType<typeof scopeOf>>) =>
        (Number(scope?.until) - Number(scope?.from)) / 60_000;
      const publisher = await shop.newPublisher();
      const { eventId, channel } = await shop.event(10, 20, {}, undefined, publisher);
      const { channelId } = channel;
      const scope = await scopeOf(eventId);
      expect([scope?.streamId, minutesOf(scope)]).to.deep.equal([channelId, 10]);
      bodyOf(200, await shop.post(`/api/live/event/${eventId}`, shop.anEvent(10, 40), publisher.token));
      expect(minutesOf(await scopeOf(eventId))).to.equal(30);
      expect(await scopeOf(channelId)).to.deep.equal({ streamId: channelId, from: null, until: null });
      const deleted = await shop.event(10, 20);
      bodyOf(204, await shop.remove(`/api/live/event/${deleted.eventId}`));
      bodyOf(204, await shop.remove(`/api/live/channel/${deleted.channel.channelId}`));
      bodyOf(204, await shop.post('/api/user/me/disable', {}, publisher.token));
      const ids = [eventId, channelId, deleted.eventId, deleted.channel.channelId, randomUUID()];
      for (const id of ids) expect(await scopeOf(id), id).to.equal(null);
    });
  });
});
