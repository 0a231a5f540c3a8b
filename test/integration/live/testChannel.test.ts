import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { recordBand } from '../../../shared/license/band.service.js';
import { bodyOf } from '../../support/responses.js';
import { openLiveShop, perEvent } from './liveShop.js';
import { useFixture } from '../../support/fixtures.js';

describe('POST /api/live/channel/{channelId}/test', () => {
  const shop = useFixture(openLiveShop);

  const test = (channelId: string, token = shop.publisher.token, headers = {}) =>
    shop.post(`/api/live/channel/${channelId}/test`, undefined, token, headers);

  it('200 PLAY with the channel, without an event, during one, and during a sold one', async () => {
    const channelId = await shop.channel();
    await shop.publish(channelId);
    const during = await shop.onAir({});
    const sold = await shop.onAir(perEvent);
    for (const id of [channelId, during.channelId, sold.channelId]) {
      const body = bodyOf(200, await test(id));
      expect(body).to.include({ result: 'PLAY', file: `live/${id}/master.m3u8` });
      expect(body.resource).to.deep.equal((await shop.get(`/api/live/channel/${id}`)).body);
      const address = new URL(body.streamer).pathname;
      expect((await shop.api.call('GET', address)).status).to.equal(200);
    }
  });

  it('the grant of an event does not open the channel, and that of a channel opens no other', async () => {
    const { eventId, channelId } = await shop.onAir({});
    const other = await shop.channel();
    await shop.publish(other);
    const { streamer } = bodyOf(200, await shop.play(eventId, null));
    const tested = bodyOf(200, await test(channelId)).streamer;
    for (const forged of [streamer.replace(eventId, channelId), tested.replace(channelId, other)])
      expect((await shop.api.call('GET', new URL(forged).pathname)).status).to.equal(403);
  });

  it('200 MESSAGE while nothing is published, and before the first segment, in the language of the request', async () => {
    const channelId = await shop.channel();
    const messageOf = async (language: string) => {
      const { result, message, srcs } = bodyOf(200, await test(channelId, undefined, { 'accept-language': language }));
      expect([result, srcs]).to.deep.equal(['MESSAGE', []]);
      return message;
    };
    expect(await messageOf('en')).to.match(/^Nothing is being published to this channel/);
    expect(await messageOf('pt')).to.match(/^Nada está a ser publicado/);
    const run = await shop.publish(channelId);
    await shop.loseSegments(run);
    expect(await messageOf('en')).to.equal('The broadcast starts in a moment.');
  });

  it('200 BAND_LIMIT_EXCEEDED when the traffic of the month is used', async () => {
    const publisher = await shop.newPublisher();
    const { channelId } = await shop.onAir({}, publisher);
    await recordBand(shop.ctx, new Map([[publisher.userId, 5 * 1024 ** 3]]));
    expect(bodyOf(200, await test(channelId, publisher.token)).result).to.equal('BAND_LIMIT_EXCEEDED');
  });

  it('404 for the channel of another user, an unknown and a malformed id', async () => {
    const { channelId } = await shop.onAir({});
    bodyOf(404, await test(channelId, shop.viewer.token));
    for (const id of [randomUUID(), 'channel']) bodyOf(404, await test(id));
  });
});
