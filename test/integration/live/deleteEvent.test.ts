import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { bodyOf } from '../../support/responses.js';
import { openStudio } from './studio.js';
import { useFixture } from '../../support/fixtures.js';

/** What may not be deleted: soldEvent.test.ts and onAirEvent.test.ts. */
describe('DELETE /api/live/event/{eventId}', () => {
  const studio = useFixture(openStudio);

  const remove = (eventId: string, token?: string) => studio.remove(`/api/live/event/${eventId}`, token);

  it('204; afterwards it is not found, and its time is free', async () => {
    const channelId = await studio.channel();
    const { eventId } = await studio.event(10, 20, { recordEvent: true }, channelId);
    bodyOf(204, await remove(eventId));
    bodyOf(404, await studio.get(`/api/live/event/${eventId}`));
    bodyOf(404, await studio.get(`/api/public/live/event/${eventId}`, studio.anybody));
    bodyOf(404, await remove(eventId));
    await studio.event(10, 20, {}, channelId);
  });

  it('404 for the event of another user, an unknown and a malformed id', async () => {
    const { eventId } = await studio.event(10, 20);
    for (const response of [await remove(eventId, studio.viewer.token), await remove(randomUUID()), await remove('1')])
      expect(response.status).to.equal(404);
    bodyOf(200, await studio.get(`/api/live/event/${eventId}`));
  });
});
