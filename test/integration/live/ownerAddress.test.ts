import { expect } from 'chai';
import { formatDateTime } from '../../../shared/platform/formats/format.js';
import { fixedZone } from '../../../shared/platform/formats/timeZone.js';
import { bodyOf } from '../../support/responses.js';
import { openLiveShop, perEvent } from './liveShop.js';
import { useFixture } from '../../support/fixtures.js';

describe('`myPlayHlsUrl` and `playUrlExpireDate` of POST /api/search/live/events', () => {
  const shop = useFixture(openLiveShop);

  it('are a full grant of the owner, also of a sold event, and its end in the time zone of the caller', async () => {
    const { channelId, endsAt } = await shop.onAir(perEvent);
    await shop.drained();
    const hour = 3_600_000;
    const search = await shop.post('/api/search/live/events', { channelId }, undefined, {
      'x-service-timezone': `${hour}`,
    });
    const [{ myPlayHlsUrl, playUrlExpireDate }] = bodyOf(200, search).items;
    expect(playUrlExpireDate).to.deep.equal(formatDateTime(new Date(endsAt.getTime() + 60_000), fixedZone(hour)));
    expect(myPlayHlsUrl).to.include(`.live.`).and.include(`.${shop.publisher.userCode}.${shop.publisher.userCode}.`);
    const path = new URL(myPlayHlsUrl).pathname;
    const statusOf = async () => (await shop.api.call('GET', path)).status;
    expect(await statusOf()).to.equal(200);
    shop.advanceTo(endsAt, 59_999);
    expect(await statusOf()).to.not.equal(403);
    shop.advanceTo(endsAt, 60_000);
    expect(await statusOf()).to.equal(403);
  });

  it('are not in the public search, nor in a read', async () => {
    const { channelId, eventId } = await shop.onAir({});
    await shop.drained();
    const found = bodyOf(200, await shop.post('/api/public/search/live/events', { channelId }, shop.anybody));
    for (const shown of [found.items[0], bodyOf(200, await shop.get(`/api/live/event/${eventId}`))])
      expect(shown).to.include({ eventId }).and.not.have.any.keys('myPlayHlsUrl', 'playUrlExpireDate');
  });
});
