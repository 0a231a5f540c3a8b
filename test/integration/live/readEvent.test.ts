import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { bodyOf } from '../../support/responses.js';
import { openStudio } from './studio.js';
import { useFixture } from '../../support/fixtures.js';

describe('GET /api/live/event/{eventId} and /api/public/live/event/{eventId}', () => {
  const studio = useFixture(openStudio);

  const own = (eventId: string, token?: string) => studio.get(`/api/live/event/${eventId}`, token);
  const everybody = (eventId: string, token = studio.anybody) => studio.get(`/api/public/live/event/${eventId}`, token);

  it('200 in public with the public view of the channel, also for an unlisted event of an unlisted channel', async () => {
    for (const isPublic of [true, false]) {
      const channelId = await studio.channel({ public: isPublic });
      const { eventId, ...shown } = await studio.event(10, 20, { publicEvent: isPublic, tags: ['a'] }, channelId);
      const channel = (await studio.get(`/api/public/live/channel/${channelId}`, studio.anybody)).body;
      const { publicEvent: _public, recordEvent: _record, ...members } = shown;
      expect(channel).to.have.property('publisher');
      for (const token of [studio.anybody, studio.viewer.token])
        expect(bodyOf(200, await everybody(eventId, token))).to.deep.equal({ eventId, ...members, channel });
    }
  });

  it('404 in private for another user', async () => {
    const { eventId } = await studio.event(10, 20);
    bodyOf(404, await own(eventId, studio.viewer.token));
  });

  it('404 for an unknown and a malformed id', async () => {
    for (const id of [randomUUID(), '1'])
      for (const response of [await own(id), await everybody(id)]) expect(response.status).to.equal(404);
  });

  it('404 in public once its publisher is disabled', async () => {
    const publisher = await studio.newPublisher();
    const { eventId } = await studio.event(10, 20, {}, undefined, publisher);
    bodyOf(200, await everybody(eventId));
    bodyOf(204, await studio.post('/api/user/me/disable', {}, publisher.token));
    bodyOf(404, await everybody(eventId));
  });
});
