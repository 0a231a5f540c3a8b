import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { recordBand } from '../../../shared/license/band.service.js';
import type { TestResponse } from '../../support/api.js';
import { useFixture } from '../../support/fixtures.js';
import { bodyOf } from '../../support/responses.js';
import { openLiveShop } from './liveShop.js';

/** Nothing here is sent with a token: players have none. */
describe('GET /api/public/live/channel/{channelId}/playlist.m3u8 and /api/public/live/event/{eventId}/playlist.m3u8', () => {
  const shop = useFixture(openLiveShop);

  interface Addressed {
    readonly channelId: string;
    readonly eventId: string;
  }
  const both = ({ channelId, eventId }: Addressed): Promise<TestResponse[]> =>
    Promise.all(
      [`channel/${channelId}`, `event/${eventId}`].map((item) =>
        shop.api.call('GET', `/api/public/live/${item}/playlist.m3u8`),
      ),
    );

  it('302 to the continuous form of the event, with a session for each player; the redirect is not cached', async () => {
    const event = await shop.onAir({ paymentMode: 'FREE' });
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

  it('402 for an event that is sold, 403 when the publisher has used the traffic of the month', async () => {
    const publisher = await shop.newPublisher();
    for (const response of await both(await shop.onAir(undefined, publisher))) bodyOf(402, response);
    const event = await shop.onAir({ paymentMode: 'FREE' }, publisher);
    await recordBand(shop.ctx, new Map([[publisher.userId, 500 * 1024 ** 3]]));
    for (const response of await both(event)) bodyOf(403, response);
  });

  it('404 before the event, before its first segment and after it, for an unknown id and a disabled publisher', async () => {
    const starting = await shop.onAir({ paymentMode: 'FREE' });
    await shop.loseSegments(starting.run);
    const publisher = await shop.newPublisher();
    const hidden = await shop.onAir({ paymentMode: 'FREE' }, publisher);
    bodyOf(204, await shop.post('/api/user/me/disable', {}, publisher.token));
    const over = await shop.onAir({ paymentMode: 'FREE' });
    shop.advanceTo(over.endsAt);
    const early = await shop.event(1, 10);
    const before = { channelId: early.channel.channelId, eventId: early.eventId };
    for (const event of [before, starting, hidden, over, { channelId: randomUUID(), eventId: 'none' }])
      for (const response of await both(event)) bodyOf(404, response);
  });
});
