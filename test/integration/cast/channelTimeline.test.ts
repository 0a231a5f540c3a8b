import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import type { CastChannelPayload } from '../../../shared/cast/cast.jobs.js';
import { firstDecisionSeconds, listedNow, type ListedNow } from '../../../shared/cast/castTimeline.js';
import { airingEnd } from '../../../shared/cast/playout/index.js';
import { extendPlayout } from '../../../shared/cast/playout.service.js';
import type { Context } from '../../../shared/platform/context.js';
import type { ProcessContext } from '../../../shared/platform/processContext.js';
import type { Tunable } from '../../../shared/platform/tunable.js';
import { processOf } from '../../support/cast/castFixture.js';
import { openPlayoutFixture, type PlayoutFixture } from '../../support/cast/playoutFixture.js';
import { eventually } from '../../support/eventually.js';
import { useFixture } from '../../support/fixtures.js';
import { makeRun, makeSegment, makeStream } from '../../support/liveStreams.js';
import { extendAllChannelsHandler } from '../../../workers/daily-programming/extendAllChannels.js';
import { createWorkerContext } from '../../../workers/runtime/workerContext.js';

const second = 1e6;
const delay = 10 * second;

interface WebProcess extends ProcessContext {
  /** The channels whose extension job the process has enqueued. */
  readonly requests: string[];
}

/** A web process that records jobs instead of publishing them. Its first viewers wait `waitSeconds` for a decision. */
function webProcess(ctx: ProcessContext, waitSeconds = 0): WebProcess {
  const limit = (tunable: Tunable): number =>
    tunable === firstDecisionSeconds ? waitSeconds : ctx.config.limit(tunable);
  const requests: string[] = [];
  const add = async (_tx: unknown, { name }: { name: string }, payload: object): Promise<void> => {
    expect(name).to.equal('cast.extend');
    requests.push((payload as CastChannelPayload).channelId);
  };
  return { ...processOf(ctx, { config: { ...ctx.config, limit }, outbox: { ...ctx.outbox, add } }), requests };
}

/** A list without the segments that its airings have after it: a process may have read them already. */
function segmentsOf(list: ListedNow | null | undefined) {
  return list?.listed.map(({ airing, first, count }) => ({
    first,
    airing: { ...airing, durations: airing.durations.slice(0, first + count) },
  }));
}

/** A context whose database fails. */
function withoutDatabase(ctx: Context): Context {
  const fail = async (): Promise<never> => {
    throw new Error('the database is away');
  };
  return { ...ctx, db: { ...ctx.db, rows: fail, change: fail, transaction: fail } };
}

describe('the listed segments of a cast channel', () => {
  const fixture = useFixture(openPlayoutFixture);

  /** A channel with a program that is decided as far ahead as the clock does, and two web processes. */
  async function watched(): Promise<{ channelId: string; processes: readonly [WebProcess, WebProcess] }> {
    const channelId = await fixture.channel();
    const { boxId } = await fixture.item(7_200);
    await fixture.program(channelId, 10, [[7_000, { boxItemId: boxId }]]);
    await extendPlayout(fixture.ctx, channelId);
    return { channelId, processes: [webProcess(fixture.ctx), webProcess(fixture.ctx)] };
  }

  it('are complete at the first request, which waits for the job, and end at the channel’s time', async () => {
    const { ctx } = fixture;
    const channelId = await fixture.channel();
    const process = webProcess(ctx, 60);
    const listing = listedNow(process, channelId);
    await eventually(() => expect(process.requests).to.deep.equal([channelId]));
    expect(await fixture.airings(channelId), 'before the job runs').to.deep.equal([]);
    await extendPlayout(ctx, channelId);
    const now = await listing;
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

  it('are equal in all processes, and the same object until there is a new segment', async () => {
    const { ctx } = fixture;
    const { channelId, processes } = await watched();
    let tick = 0;
    for (let step = 0; step < 60; step += 1) {
      await extendPlayout(ctx, channelId);
      const lists = await Promise.all(processes.map((process) => listedNow(process, channelId)));
      expect(segmentsOf(lists[1])).to.deep.equal(segmentsOf(lists[0]));
      expect(await listedNow(processes[0], channelId)).to.equal(lists[0]);
      expect(lists[0]!.tick).to.be.at.least(tick);
      tick = lists[0]!.tick;
      ctx.clock.advance(3_000);
    }
    expect(tick).to.be.above(50);
    for (const { requests } of processes) expect(requests).to.deep.equal([]);
  });

  it('continue for a minute without workers, then stop; requests enqueue a job ever less often', async () => {
    const { ctx } = fixture;
    const { channelId, processes } = await watched();
    const [process] = processes;
    const ticks: number[] = [];
    const counts: number[] = [];
    for (let seconds = 0; seconds < 300; seconds += 2) {
      ticks.push((await listedNow(process, channelId))!.tick);
      counts.push(process.requests.splice(0).length);
      ctx.clock.advance(2_000);
    }
    const countOf = (part: readonly number[]): number => part.reduce((sum, one) => sum + one, 0);
    expect(ticks[45]! - ticks[15]!, 'segments from second 30 to 90').to.be.within(13, 17);
    expect(new Set(ticks.slice(-90)).size, 'ticks after the last decision').to.equal(1);
    expect(countOf(counts.slice(0, 10)), 'while enough is decided').to.equal(0);
    expect(countOf(counts)).to.be.within(4, 10);
    expect(countOf(counts.slice(-60)), 'in the last two minutes').to.be.within(1, 3);
    await extendPlayout(ctx, channelId);
    await eventually(async () => expect((await listedNow(process, channelId))!.tick).to.be.above(ticks.at(-1)!));
  });

  it('are returned if the job cannot be enqueued, and empty if no worker serves the first viewer', async () => {
    const fail = async (): Promise<never> => {
      throw new Error('no outbox');
    };
    const process = webProcess(fixture.ctx);
    const withoutOutbox = { ...process, outbox: { ...process.outbox, add: fail } };
    expect(await listedNow(withoutOutbox, await fixture.channel())).to.deep.equal({ listed: [], tick: 0 });
    const { channelId } = await watched();
    fixture.ctx.clock.advance(60_000);
    expect((await listedNow(withoutOutbox, channelId))!.listed).not.to.deep.equal([]);
  });

  it('need no job during a live program until a segment is missing', async () => {
    const { ctx, owner } = fixture;
    const channelId = await fixture.channel();
    const stream = await makeStream(ctx, owner.userId);
    await fixture.program(channelId, -60, [[600, { streamId: stream.streamId }]]);
    const run = await makeRun(ctx, stream);
    for (const ago of [8_000, 6_000])
      await makeSegment(ctx, run, { startsAt: new Date(ctx.clock.now().getTime() - ago) });
    await extendPlayout(ctx, channelId);
    const process = webProcess(ctx);
    await listedNow(process, channelId);
    expect(process.requests).to.deep.equal([]);
    ctx.clock.advance(6_000);
    await listedNow(process, channelId);
    expect(process.requests).to.deep.equal([channelId]);
  });

  it('continue as far as decided while the database is down, and fail only if nothing was read before', async () => {
    const { ctx } = fixture;
    const { channelId } = await watched();
    const process = processOf(ctx);
    const first = await listedNow(process, channelId);
    const away = { ...withoutDatabase(ctx), parts: process.parts };
    const unread = await listedNow(withoutDatabase(processOf(ctx)), channelId).catch(String);
    expect(unread).to.contain('the database is away');
    ctx.clock.advance(60_000);
    const later = await listedNow(away, channelId);
    expect(later!.tick).to.be.at.least(first!.tick + 14);
    ctx.clock.advance(600_000);
    const stands = await listedNow(away, channelId);
    expect(stands!.tick).to.be.above(later!.tick);
    expect(await listedNow(away, channelId)).to.equal(stands);
    ctx.clock.advance(2_000);
    await extendPlayout(ctx, channelId);
    await eventually(async () => {
      const back = await listedNow(process, channelId);
      expect(back!.tick).to.be.above(stands!.tick);
    });
  });

  it('are null for a missing and for a deleted channel', async () => {
    const { ctx, api, owner } = fixture;
    expect(await listedNow(ctx, randomUUID())).to.equal(null);
    const { channelId, processes } = await watched();
    const [process] = processes;
    expect(await listedNow(process, channelId)).not.to.equal(null);
    const { status } = await api.call('DELETE', `/api/cast/channel/${channelId}`, { token: owner.token });
    expect(status).to.equal(204);
    expect(await listedNow(processOf(ctx), channelId)).to.equal(null);
  });
});

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
