import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { bodyOf } from '../../support/responses.js';
import { openStudio } from './studio.js';
import { useFixture } from '../../support/fixtures.js';

describe('GET /api/live/channel/{channelId} and /api/public/live/channel/{channelId}', () => {
  const studio = useFixture(openStudio);

  const own = (channelId: string, token?: string) => studio.get(`/api/live/channel/${channelId}`, token);
  const everybody = (channelId: string, token = studio.anybody) =>
    studio.get(`/api/public/live/channel/${channelId}`, token);

  it('200 in public with the publisher and without what encoders need, also for an unlisted channel', async () => {
    for (const isPublic of [true, false]) {
      const channelId = await studio.channel({ name: 'Alps', description: 'Snow', tags: ['a'], public: isPublic });
      const publisher = { userCode: studio.publisher.userCode, licenseExpired: false };
      const embedUrl = `${studio.ctx.config.service.publicUrl}/embed/?live=${channelId}`;
      const shown = { channelId, embedUrl, name: 'Alps', description: 'Snow', tags: ['a'], publisher };
      expect(bodyOf(200, await everybody(channelId))).to.deep.equal(shown);
      expect(bodyOf(200, await everybody(channelId, studio.viewer.token))).to.deep.equal(shown);
      expect(bodyOf(200, await everybody(channelId.toUpperCase()))).to.deep.equal(shown);
    }
  });

  it('404 in private for another user', async () => {
    const channelId = await studio.channel();
    bodyOf(404, await own(channelId, studio.viewer.token));
  });

  it('404 for an unknown and a malformed id', async () => {
    for (const id of [randomUUID(), '1'])
      for (const response of [await own(id), await everybody(id)]) expect(response.status).to.equal(404);
  });

  it('404 in public once its publisher is disabled', async () => {
    const publisher = await studio.newPublisher();
    const channelId = await studio.channel({}, publisher);
    bodyOf(200, await everybody(channelId));
    bodyOf(204, await studio.post('/api/user/me/disable', {}, publisher.token));
    bodyOf(404, await everybody(channelId));
  });
});
