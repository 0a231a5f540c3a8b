import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { CastPlayout, CastProgram } from '../../../shared/cast/cast.model.js';
import { extendPlayout, firstFreeTime } from '../../../shared/cast/playout.service.js';
import { expectJoined, openPlayoutFixture } from '../../support/cast/playoutFixture.js';
import { useFixture } from '../../support/fixtures.js';

const second = 1e6;

describe('the playout of a cast channel with concurrent transactions', () => {
  const fixture = useFixture(openPlayoutFixture);

  it('is decided once by any number of concurrent processes', async () => {
    const { ctx } = fixture;
    const channelId = await fixture.channel();
    const { boxId } = await fixture.item(600);
    await fixture.program(channelId, 0, [
      [30, { boxItemId: boxId }],
      [45, null],
      [500, { boxItemId: boxId }],
    ]);
    for (let round = 0; round < 4; round += 1) {
      await Promise.all(Array.from({ length: 6 }, () => extendPlayout(ctx, channelId)));
      ctx.clock.advance(50_000);
    }
    expectJoined(await fixture.airings(channelId));
  });

  it('waits for an edit in progress, and plays its programs', async () => {
    const { ctx } = fixture;
    const channelId = await fixture.channel();
    await extendPlayout(ctx, channelId);
    const { boxId } = await fixture.item(600);
    let extension: Promise<void> | undefined;
    let isDone = false;
    await ctx.db.transaction(async (tx) => {
      const free = await firstFreeTime(ctx, tx, channelId);
      expect(free.getTime()).to.equal(Math.ceil(ctx.clock.now().getTime() / 1000 + 120) * 1000);
      ctx.clock.advance(100_000);
      extension = extendPlayout(ctx, channelId).then(() => {
        isDone = true;
      });
      await sleep(100);
      expect(isDone).to.equal(false);
      const now = ctx.clock.now();
      await ctx.db.model(CastProgram).create(
        {
          ...{
            id: randomUUID(),
            channelId,
            ownerId: fixture.owner.userId,
            title: 'Late',
            type: 'PRERECORDED',
            boxItemId: boxId,
          },
          ...{ startsAt: free, endsAt: new Date(free.getTime() + 60_000), createdAt: now, updatedAt: now },
        },
        { transaction: tx },
      );
    });
    await extension;
    const kinds = (await fixture.airings(channelId)).map(({ source }) => source.kind);
    expect(kinds).to.include('CONTENT');
  });

  it('allows edits only after the decided time', async () => {
    const { ctx } = fixture;
    const channelId = await fixture.channel();
    await extendPlayout(ctx, channelId);
    const decidedUntil = ctx.clock.now().getTime() * 1000 + 500_500_000;
    await ctx.db.model(CastPlayout).update({ decidedUntil }, { where: { channelId } });
    const free = await ctx.db.transaction((tx) => firstFreeTime(ctx, tx, channelId));
    expect(free.getTime()).to.equal(Math.ceil(decidedUntil / second) * 1000);
  });
});
