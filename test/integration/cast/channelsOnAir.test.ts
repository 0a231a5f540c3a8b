import { expect } from 'chai';
import { extendPlayout } from '../../../shared/cast/playout.service.js';
import { extendAllChannelsHandler } from '../../../workers/daily-programming/extendAllChannels.js';
import { createWorkerContext } from '../../../workers/runtime/workerContext.js';
import { openPlayoutFixture, type PlayoutFixture } from '../../support/cast/playoutFixture.js';
import { eventually } from '../../support/eventually.js';
import { useFixture } from '../../support/fixtures.js';
import { makeRun, makeSegment, makeStream } from '../../support/liveStreams.js';

describe('the job that extends channels on air', () => {
  const fixture = useFixture(openPlayoutFixture);

  /** Starts the job. The returned function aborts it as a shutdown does, and resolves when it has ended. */
  function startJob(): () => Promise<void> {
    const { ctx } = fixture;
    const stopping = new AbortController();
    const ended = extendAllChannelsHandler({
      ...{ ctx: createWorkerContext(ctx), log: ctx.log, payload: {}, attempt: 1, isLastAttempt: false },
      ...{ signal: stopping.signal, reportProgress: () => {} },
    }).catch((error: unknown) => error);
    return async () => {
      stopping.abort(new Error('shutdown'));
      expect(await ended, 'the job returns to the queue').to.be.an('error');
    };
  }

  async function during(work: () => Promise<void>): Promise<void> {
    const stop = startJob();
    try {
      await work();
    } finally {
      await stop();
    }
  }

  async function onAir(process: PlayoutFixture = fixture): Promise<string> {
    const id = await process.channel();
    await process.program(id, -30, [[3_000, null]]);
    return id;
  }

  const secondsAhead = async (channelId: string): Promise<number> => {
    const { ctx } = fixture;
    const [row] = await ctx.db.rows<{ decidedUntil: number }>(
      'SELECT decided_until FROM cast_playouts WHERE channel_id = $channelId',
      { channelId },
    );
    return (row?.decidedUntil ?? 0) / 1e6 - ctx.clock.now().getTime() / 1000;
  };

  it('keeps a minute decided, and skips channels without a program', async () => {
    const { ctx } = fixture;
    const [channelId, idle] = [await onAir(), await fixture.channel()];
    await during(async () => {
      for (const elapsedMs of [0, 50_000, 50_000]) {
        ctx.clock.advance(elapsedMs);
        await eventually(async () => expect(await secondsAhead(channelId)).to.be.within(60, 95));
      }
    });
    expect(await fixture.airings(idle)).to.deep.equal([]);
  });

  it('decides a live program as soon as its segments are stored', async () => {
    const { ctx, owner } = fixture;
    const channelId = await fixture.channel();
    const stream = await makeStream(ctx, owner.userId);
    await fixture.program(channelId, -60, [[600, { streamId: stream.streamId }]]);
    const run = await makeRun(ctx, stream);
    await during(async () => {
      await eventually(async () => expect(await secondsAhead(channelId)).to.be.within(-13.1, -8));
      const firstAt = ctx.clock.now().getTime() - 6_000;
      for (let count = 0; count < 6; count += 1) {
        await makeSegment(ctx, run, { startsAt: new Date(firstAt + count * 2_000) });
        ctx.clock.advance(2_000);
      }
      await eventually(async () => {
        const airings = await fixture.airings(channelId);
        const live = airings.filter(({ source }) => source.kind === 'LIVE');
        expect(live.map(({ durations }) => durations.length)).to.deep.equal([6]);
      });
    });
  });

  it('extends all other channels while those of one owner are locked', async () => {
    const { ctx } = fixture;
    const locked = [await onAir(), await onAir(), await onAir(), await onAir(), await onAir(), await onAir()];
    for (const channelId of locked) await extendPlayout(ctx, channelId);
    ctx.clock.advance(60_000);
    const other = await onAir(await openPlayoutFixture());
    await extendPlayout(ctx, other);
    ctx.clock.advance(60_000);
    const stop = await ctx.db.transaction(async (tx) => {
      await ctx.db.rows(
        'SELECT 1 FROM cast_playouts WHERE channel_id = ANY ($locked::uuid[]) ORDER BY channel_id FOR UPDATE',
        { locked },
        tx,
      );
      const stopJob = startJob();
      await eventually(async () => expect(await secondsAhead(other)).to.be.above(60));
      for (const channelId of locked) expect(await secondsAhead(channelId)).to.be.below(0);
      return stopJob;
    });
    for (const channelId of locked) await eventually(async () => expect(await secondsAhead(channelId)).to.be.above(60));
    await stop();
  });
});
