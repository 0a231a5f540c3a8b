import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { makeRun } from '../../support/liveStreams.js';
import { bodyOf } from '../../support/responses.js';
import { openStudio } from './studio.js';
import { LiveRun } from '../../../shared/streaming/streaming.model.js';
import { useFixture } from '../../support/fixtures.js';

describe('DELETE /api/live/channel/{channelId}', () => {
  const studio = useFixture(openStudio);

  const remove = (channelId: string, token?: string) => studio.remove(`/api/live/channel/${channelId}`, token);

  it('204; afterwards it is not found, and its stream path is free', async () => {
    const sent = studio.aChannel();
    const channelId = await studio.channel(sent);
    bodyOf(204, await remove(channelId));
    bodyOf(404, await studio.get(`/api/live/channel/${channelId}`));
    bodyOf(404, await studio.get(`/api/public/live/channel/${channelId}`));
    bodyOf(404, await remove(channelId));
    bodyOf(201, await studio.createChannel(sent));
  });

  it('204 ends what is published to it', async () => {
    const channelId = await studio.channel();
    const { runId } = await makeRun(studio.ctx, { streamId: channelId, ownerId: studio.publisher.userId, path: '' });
    bodyOf(204, await remove(channelId));
    expect(await studio.ctx.db.model(LiveRun).findByPk(runId)).to.include({ state: 'ENDED' });
  });

  it('404 for the channel of another user, an unknown and a malformed id', async () => {
    const channelId = await studio.channel();
    bodyOf(404, await remove(channelId, studio.viewer.token));
    bodyOf(404, await remove(randomUUID()));
    bodyOf(404, await remove('1'));
    bodyOf(200, await studio.get(`/api/live/channel/${channelId}`));
  });

  it('409 while it has events, also such that are over, with a message', async () => {
    for (const [start, end] of [
      [10, 20],
      [-20, -10],
    ] as const) {
      const channelId = await studio.channel();
      const { eventId } = await studio.event(start, end, {}, channelId);
      const error = bodyOf(409, await remove(channelId));
      expect(error.exception).to.equal('DataIntegrityViolationException');
      expect(error.message).to.match(/events/);
      bodyOf(204, await studio.remove(`/api/live/event/${eventId}`));
      bodyOf(204, await remove(channelId));
    }
  });

  it('leaves no event without a channel, when one is created at the same time', async () => {
    for (let round = 0; round < 5; round += 1) {
      const channelId = await studio.channel();
      const [created, removed] = await Promise.all([
        studio.createEvent(channelId, studio.anEvent(10, 20)),
        remove(channelId),
      ]);
      expect([created.status, removed.status]).to.be.deep.oneOf([
        [201, 409],
        [404, 204],
      ]);
    }
  });
});
