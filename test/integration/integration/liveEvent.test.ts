import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { LiveChannel, LiveEvent } from '../../../shared/live/live.model.js';
import { serviceFixture } from '../../support/service.js';
import { integrationHeaders, makeStream } from '../../support/streams.js';
import { createUser } from '../../support/users.js';

const minutes = 60_000;

describe('GET /rest/<integration>/live/event/{streamName}', () => {
  const { api } = serviceFixture();
  let ownerId: string;
  let channelId: string;
  let path: string;
  beforeEach(async () => {
    const { ctx } = api;
    ownerId = await createUser(ctx);
    ({ id: channelId, path } = await makeStream(ctx, ownerId));
    const now = ctx.clock.now();
    const times = { createdAt: now, updatedAt: now };
    await ctx.db
      .model(LiveChannel)
      .create({ id: channelId, ownerId, name: 'Town', description: null, thumbnailId: null, public: true, ...times });
  });

  /** An event that starts and ends so many minutes from now. */
  async function makeEvent(from: number, to: number, recorded: boolean): Promise<void> {
    const { ctx } = api;
    const now = ctx.clock.now();
    const startsAt = new Date(now.getTime() + from * minutes);
    const endsAt = new Date(now.getTime() + to * minutes);
    const described = { name: 'News', description: null, thumbnailId: null, public: true, recorded };
    const terms = { paymentMode: 'FREE', priceCents: null, createdAt: now, updatedAt: now } as const;
    await ctx.db
      .model(LiveEvent)
      .create({ id: randomUUID(), channelId, ownerId, startsAt, endsAt, ...described, ...terms });
  }

  const recorded = async () =>
    (await api.call('GET', `/rest/integration/live/event/${path}`, { headers: integrationHeaders(api) })).body.recorded;

  it('returns true during a recorded event, whatever event follows', async () => {
    await makeEvent(-30, 5, true);
    await makeEvent(5, 60, false);
    expect(await recorded()).to.equal(true);
  });

  it('returns false during an unrecorded event, also shortly before a recorded one', async () => {
    await makeEvent(-30, 5, false);
    await makeEvent(5, 60, true);
    expect(await recorded()).to.equal(false);
  });

  it('considers the next event from ten minutes before its start', async () => {
    expect(await recorded()).to.equal(false);
    await makeEvent(-60, -1, true);
    await makeEvent(12, 60, true);
    expect(await recorded()).to.equal(false);
    await makeEvent(10, 11, true);
    expect(await recorded()).to.equal(true);
  });
});
