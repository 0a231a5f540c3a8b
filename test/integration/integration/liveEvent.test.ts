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

  /** An event from and to so many minutes from now. */
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

  it('true during an event that is recorded, whatever follows', async () => {
    await makeEvent(-30, 5, true);
    await makeEvent(5, 60, false);
    expect(await recorded()).to.equal(true);
  });

  it('false during an event that is not recorded, also when one that is begins soon', async () => {
    await makeEvent(-30, 5, false);
    await makeEvent(5, 60, true);
    expect(await recorded()).to.equal(false);
  });

  it('counts the next event from ten minutes before its start, none long before it, and none after the last', async () => {
    expect(await recorded()).to.equal(false);
    await makeEvent(-60, -1, true);
    await makeEvent(12, 60, true);
    expect(await recorded()).to.equal(false);
    await makeEvent(10, 11, true);
    expect(await recorded()).to.equal(true);
  });
});
