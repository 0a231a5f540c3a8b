import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import type { TestUser } from '../../support/api.js';
import { bodyOf } from '../../support/responses.js';
import { openLiveShop } from './liveShop.js';
import { useFixture } from '../../support/fixtures.js';

describe('POST /api/live/channel/{channelId}/play and /api/public/live/channel/{channelId}/play', () => {
  const shop = useFixture(openLiveShop);

  const play = (channelId: string, by: TestUser | null, body: object = {}) =>
    by
      ? shop.post(`/api/live/channel/${channelId}/play`, body, by.token)
      : shop.post(`/api/public/live/channel/${channelId}/play`, body, shop.anybody);

  it('200 PLAY with the event that is on air', async () => {
    const channelId = await shop.channel({ public: false });
    await shop.event(-20, -10, {}, channelId);
    const { eventId } = await shop.event(0, 10, {}, channelId);
    await shop.event(10, 20, {}, channelId);
    await shop.publish(channelId);
    for (const [, by] of shop.payers) {
      const body = bodyOf(200, await play(channelId, by));
      expect(body).to.include({ result: 'PLAY', file: `live/${eventId}/master.m3u8` });
      expect(body.resource).to.deep.equal((await shop.get(`/api/public/live/event/${eventId}`, shop.anybody)).body);
      expect(body.resource.channel.publisher.userCode).to.equal(shop.publisher.userCode);
    }
  });

  it('200 PAYMENT_REQUIRED for an event that is sold; with the payment of the event it plays', async () => {
    const { channelId, eventId } = await shop.onAir();
    for (const [, by] of shop.payers) {
      expect(bodyOf(200, await play(channelId, by))).to.deep.include({ result: 'PAYMENT_REQUIRED', srcs: [] });
      const trackingId = await shop.paid(eventId, by);
      expect(bodyOf(200, await play(channelId, by, { trackingId })).result).to.equal('PLAY');
    }
    expect(bodyOf(200, await play(channelId, shop.viewer)).result).to.equal('PLAY');
    expect(bodyOf(200, await play(channelId, null)).result).to.equal('PAYMENT_REQUIRED');
  });

  it('200 MESSAGE before the first segment', async () => {
    const { channelId, run } = await shop.onAir();
    await shop.loseSegments(run);
    const { result, message } = bodyOf(200, await play(channelId, null));
    expect([result, message]).to.deep.equal(['MESSAGE', 'The broadcast starts in a moment.']);
  });

  it('404 where no event is on air: none at all, none now, none that an encoder publishes', async () => {
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
