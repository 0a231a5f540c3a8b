import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { liveScopes } from '../../../shared/liveScopes.js';
import { bodyOf } from '../../support/responses.js';
import { openStudio } from './studio.js';
import { useFixture } from '../../support/fixtures.js';

describe('What a grant of a live channel or event opens', () => {
  const studio = useFixture(openStudio);

  const scopeOf = (id: string) => liveScopes.find(studio.ctx, id);

  it('an event: its times on the stream of its channel, as they are now', async () => {
    const { eventId, channel } = await studio.event(10, 20);
    const scope = await scopeOf(eventId);
    expect(scope?.streamId).to.equal(channel.channelId);
    expect(Number(scope?.until) - Number(scope?.from)).to.equal(10 * 60_000);
    bodyOf(200, await studio.post(`/api/live/event/${eventId}`, studio.anEvent(10, 40)));
    expect(Number((await scopeOf(eventId))?.until) - Number(scope?.from)).to.equal(30 * 60_000);
  });

  it('a channel: everything that is published to it', async () => {
    const channelId = await studio.channel();
    expect(await scopeOf(channelId)).to.deep.equal({ streamId: channelId, from: null, until: null });
  });

  it('nothing of what is deleted or unknown, and of a publisher who is disabled', async () => {
    const publisher = await studio.newPublisher();
    const { eventId, channel } = await studio.event(10, 20, {}, undefined, publisher);
    const deleted = await studio.event(10, 20);
    bodyOf(204, await studio.remove(`/api/live/event/${deleted.eventId}`));
    bodyOf(204, await studio.remove(`/api/live/channel/${deleted.channel.channelId}`));
    bodyOf(204, await studio.post('/api/user/me/disable', {}, publisher.token));
    const ids = [eventId, channel.channelId, deleted.eventId, deleted.channel.channelId, randomUUID(), 'none'];
    for (const id of ids) expect(await scopeOf(id), id).to.equal(null);
  });
});
