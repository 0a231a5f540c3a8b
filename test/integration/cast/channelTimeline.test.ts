import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { listedNow } from '../../../shared/cast/castTimeline.js';
import { airingEnd } from '../../../shared/cast/playout/index.js';
import type { Context } from '../../../shared/platform/context.js';
import { processOf } from '../../support/cast/castFixture.js';
import { openPlayoutFixture } from '../../support/cast/playoutFixture.js';
import { eventually } from '../../support/eventually.js';
import { useFixture } from '../../support/fixtures.js';

const second = 1e6;
const delay = 10 * second;

/** A context whose database does not answer. */
function withoutDatabase(ctx: Context): Context {
  const fail = async (): Promise<never> => {
    throw new Error('the database is away');
  };
  return { ...ctx, db: { ...ctx.db, rows: fail, change: fail, transaction: fail } };
}

describe('what a cast channel lists', () => {
  const fixture = useFixture(openPlayoutFixture);

  /** A channel with a program, and the lists of two processes. */
  async function watched(): Promise<{ channelId: string; processes: readonly Context[] }> {
    const channelId = await fixture.channel();
    const { boxId } = await fixture.item(7_200);
    await fixture.program(channelId, 10, [[7_000, { boxItemId: boxId }]]);
    return { channelId, processes: [processOf(fixture.ctx), processOf(fixture.ctx)] };
  }

  it('is whole at the first request, and ends where the clock of the channel is', async () => {
    const { ctx } = fixture;
    const channelId = await fixture.channel();
    const now = await listedNow(ctx, channelId);
    const last = now?.listed.at(-1);
    const end = airingEnd({ ...last!.airing, durations: last!.airing.durations.slice(0, last!.first + last!.count) });
    const shown = ctx.clock.now().getTime() * 1000 - delay;
    expect(end).to.be.within(shown - 4 * second, shown);
    const listedSeconds = now!.listed
      .flatMap(({ airing, first, count }) => airing.durations.slice(first, first + count))
      .reduce((sum, duration) => sum + duration / second, 0);
    expect(listedSeconds).to.be.within(28, 36);
    expect(now?.tick).to.equal(last!.airing.sequence + last!.first + last!.count);
  });

  it('is the same in every process, and the same object until there is a new segment', async () => {
    const { ctx } = fixture;
    const { channelId, processes } = await watched();
    let tick = 0;
    for (let step = 0; step < 60; step += 1) {
      const lists = await Promise.all(processes.map((process) => listedNow(process, channelId)));
      expect(lists[1]).to.deep.equal(lists[0]);
      expect(await listedNow(processes[0]!, channelId)).to.equal(lists[0]);
      expect(lists[0]!.tick).to.be.at.least(tick);
      tick = lists[0]!.tick;
      ctx.clock.advance(3_000);
    }
    expect(tick).to.be.above(50);
  });

  it('goes on while the database is away, as far as was decided', async () => {
    const { ctx } = fixture;
    const { channelId } = await watched();
    const process = processOf(ctx);
    const first = await listedNow(process, channelId);
    const away = { ...withoutDatabase(ctx), parts: process.parts };
    ctx.clock.advance(60_000);
    const later = await listedNow(away, channelId);
    expect(later!.tick).to.be.at.least(first!.tick + 14);
    ctx.clock.advance(600_000);
    const stands = await listedNow(away, channelId);
    expect(stands!.tick).to.be.above(later!.tick);
    expect(await listedNow(away, channelId)).to.equal(stands);
    ctx.clock.advance(2_000);
    await eventually(async () => {
      const back = await listedNow(process, channelId);
      expect(back!.tick).to.be.above(stands!.tick);
    });
  });

  it('rejects only where nothing was read before', async () => {
    const { channelId } = await watched();
    const away = withoutDatabase(processOf(fixture.ctx));
    const error = await listedNow(away, channelId).catch((reason: unknown) => reason);
    expect(String(error)).to.contain('the database is away');
  });

  it('is null for a channel that does not exist, and for one that is deleted', async () => {
    const { ctx, api, owner } = fixture;
    for (const id of [randomUUID(), 'x', "'"]) expect(await listedNow(ctx, id)).to.equal(null);
    const { channelId, processes } = await watched();
    const [process] = processes as [Context];
    expect(await listedNow(process, channelId)).not.to.equal(null);
    const { status } = await api.call('DELETE', `/api/cast/channel/${channelId}`, { token: owner.token });
    expect(status).to.equal(204);
    expect(await listedNow(processOf(ctx), channelId)).to.equal(null);
  });
});
