import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { streamStates } from '../../../shared/streaming/liveState.queries.js';
import {
  endRun,
  openRun,
  renewRuns,
  setRunMedia,
  type OpenedRun,
} from '../../../shared/streaming/liveRun.lifecycle.js';
import { renewRun } from '../../support/liveRun.js';
import { endIdleLiveSessions } from '../../../shared/streaming/liveSession.lifecycle.js';
import { LiveRun, LiveSession, LiveStream } from '../../../shared/streaming/streaming.model.js';
import { makeRun, makeSegment, makeStream, testRendition, type TestRun } from '../../support/liveStreams.js';
import { rejection } from '../../support/eventually.js';
import { serviceFixture, useFixture } from '../../support/fixtures.js';
import { createUser } from '../../support/users.js';
import { useUpStreaming } from '../../support/licenses.js';
import { changeRow } from '../../support/rows.js';
import { openContext, type OpenContext } from '../../../shared/openContext.js';
import { readConfig } from '../../../shared/settings.js';
import { sweepRuns } from '../../../shared/streaming/runSweep.service.js';
import { conflictsOf } from '../../support/statements.js';
import { openTestContext } from '../../support/context.js';

describe('the runs of encoders', () => {
  const { ctx } = serviceFixture();

  const rowOf = async ({ runId }: { readonly runId: string }): Promise<LiveRun> =>
    (await ctx.db.model(LiveRun).findByPk(runId))!;
  const renew = ({ runId, leaseOwner }: TestRun): Promise<boolean> =>
    renewRun(ctx, { runId, leaseOwner, lastMediaAt: ctx.clock.now(), receivedBytes: 1000 });

  it('are taken over by a second encoder of the owner within the same session', async () => {
    const stream = await makeStream(ctx);
    const first = await makeRun(ctx, stream);
    const second = await makeRun(ctx, stream);
    expect(second.sessionId).to.equal(first.sessionId);
    expect(await rowOf(first)).to.include({ state: 'ENDED', endReason: 'taken over' });
    expect(await renew(first)).to.equal(false);
    expect(await renew(second)).to.equal(true);
    expect(await makeSegment(ctx, first, { startsAt: ctx.clock.now() })).to.equal(null);
    expect(
      await setRunMedia(ctx, { ...first, renditions: [testRendition('720p')] }),
      'an ended run changes nothing',
    ).to.equal(false);
  });

  it('are replaced by a second encoder only if it has found them idle', async () => {
    const { streamId, ownerId } = await makeStream(ctx);
    const open = (replacedRunId: string | null) =>
      openRun(ctx, { streamId, ownerId, source: 'RTMP', leaseOwner: randomUUID(), clientAddress: null, replacedRunId });
    const outcomes = await Promise.allSettled(Array.from({ length: 10 }, () => open(null)));
    const [first, ...others] = outcomes.filter(({ status }) => status === 'fulfilled');
    expect(others).to.deep.equal([]);
    const { runId } = (first as PromiseFulfilledResult<OpenedRun>).value;
    expect(await rejection(open(randomUUID()))).to.have.property('name', 'OtherPublisherError');
    const replacing = await open(runId);
    expect(await rowOf({ runId })).to.include({ state: 'ENDED', endReason: 'taken over' });
    expect(await rowOf(replacing)).to.include({ state: 'OPEN' });
  });

  it('never open on another user’s or a deleted stream', async () => {
    const stream = await makeStream(ctx);
    expect(await rejection(makeRun(ctx, { ...stream, ownerId: await createUser(ctx) }))).to.have.property(
      'name',
      'NotFoundError',
    );
    await changeRow(ctx, LiveStream, stream.streamId, { path: null });
    expect(await rejection(makeRun(ctx, stream))).to.have.property('name', 'NotFoundError');
  });

  it('end for all but one of twenty concurrent encoders, in one session', async () => {
    const stream = await makeStream(ctx);
    const runs = await Promise.all(Array.from({ length: 20 }, () => makeRun(ctx, stream)));
    expect(new Set(runs.map(({ sessionId }) => sessionId)).size).to.equal(1);
    const kept = await Promise.all(runs.map(renew));
    expect(kept.filter(Boolean)).to.have.length(1);
  });

  it('continue their session if the encoder returns in time; a later session continues the numbers', async () => {
    const stream = await makeStream(ctx);
    const first = await makeRun(ctx, stream);
    await makeSegment(ctx, first, { startsAt: ctx.clock.now() });
    await endRun(ctx, { runId: first.runId, reason: 'closed' });
    ctx.clock.advance(59_000);
    const second = await makeRun(ctx, stream);
    expect(second.sessionId).to.equal(first.sessionId);
    expect(await makeSegment(ctx, second, { startsAt: ctx.clock.now() })).to.deep.equal({
      sequence: 1,
      discontinuity: 1,
    });
    await endRun(ctx, { runId: second.runId, leaseOwner: second.leaseOwner, reason: 'closed' });
    ctx.clock.advance(61_000);
    const third = await makeRun(ctx, stream);
    expect(third.sessionId).not.to.equal(first.sessionId);
    expect(await makeSegment(ctx, third, { startsAt: ctx.clock.now() })).to.deep.equal({
      sequence: 2,
      discontinuity: 2,
    });
    const sessions = await ctx.db
      .model(LiveSession)
      .findAll({ where: { streamId: stream.streamId }, order: ['openedAt'] });
    expect(sessions.map(({ state }) => state)).to.deep.equal(['ENDED', 'OPEN']);
    expect(sessions[0]!.endedAt).to.deep.equal((await rowOf(second)).endedAt);
  });

  it('end idempotently, and with a lease owner only for that owner', async () => {
    const run = await makeRun(ctx, await makeStream(ctx));
    await endRun(ctx, { runId: run.runId, leaseOwner: randomUUID(), reason: 'of a zombie' });
    expect(await rowOf(run)).to.include({ state: 'OPEN' });
    await endRun(ctx, { runId: run.runId, leaseOwner: run.leaseOwner, reason: 'closed' });
    const ended = await rowOf(run);
    await endRun(ctx, { runId: run.runId, reason: 'again' });
    expect(await rowOf(run)).to.deep.equal(ended);
  });

  describe('with streaming time', () => {
    const secondsOf = async (userId: string): Promise<number> => {
      const [row] = await ctx.db.rows<{ seconds: number }>(
        'SELECT streaming_seconds AS seconds FROM quotas WHERE user_id = $userId',
        { userId },
      );
      return row?.seconds ?? 0;
    };

    it('count it once, about every minute and at the end', async () => {
      const stream = await makeStream(ctx);
      const run = await makeRun(ctx, stream);
      ctx.clock.advance(59_000);
      await renew(run);
      expect(await secondsOf(stream.ownerId)).to.equal(0);
      ctx.clock.advance(2_000);
      await Promise.all([renew(run), renew(run), renew(run)]);
      expect(await secondsOf(stream.ownerId)).to.equal(61);
      ctx.clock.advance(10_000);
      await Promise.all([
        endRun(ctx, { runId: run.runId, reason: 'closed' }),
        endRun(ctx, { runId: run.runId, reason: 'closed' }),
      ]);
      expect(await secondsOf(stream.ownerId)).to.equal(71);
    });

    it('end when it is used up', async () => {
      const stream = await makeStream(ctx);
      const run = await makeRun(ctx, stream);
      await useUpStreaming(ctx, stream.ownerId);
      expect(await renew(run)).to.equal(true);
      ctx.clock.advance(61_000);
      expect(await renew(run)).to.equal(false);
      expect(await rowOf(run)).to.include({ state: 'ENDED', endReason: 'streaming hours used up' });
    });

    it('of one process count it for each owner, and end only those of an owner without any left', async () => {
      const first = await makeStream(ctx);
      const others = [await makeRun(ctx, await makeStream(ctx, first.ownerId)), await makeRun(ctx, first)];
      const second = await makeStream(ctx);
      const own = await makeRun(ctx, second);
      await useUpStreaming(ctx, second.ownerId);
      const before = await secondsOf(second.ownerId);
      ctx.clock.advance(61_000);
      const progress = [own, ...others].map((run) => ({ ...run, lastMediaAt: null, receivedBytes: 0 }));
      expect([...(await renewRuns(ctx, progress))]).to.have.members(others.map(({ runId }) => runId));
      expect(await secondsOf(first.ownerId)).to.equal(122);
      expect(await secondsOf(second.ownerId)).to.equal(before + 61);
      expect(await rowOf(own)).to.include({ state: 'ENDED' });
    });
  });

  describe('in the state of a stream', () => {
    const stateOf = async (streamId: string) => (await streamStates(ctx, [streamId])).get(streamId);

    it('are receiving from the first media until the reconnection time is over, for each known stream', async () => {
      const stream = await makeStream(ctx);
      expect(await stateOf(stream.streamId)).to.deep.equal({
        isReceiving: false,
        lastMediaAt: null,
        hasSegments: false,
      });
      const run = await makeRun(ctx, stream);
      expect(await stateOf(stream.streamId)).to.include({ isReceiving: false, hasSegments: false });
      await setRunMedia(ctx, { ...run, renditions: [testRendition('720p')] });
      expect(await stateOf(stream.streamId)).to.include({ isReceiving: true, hasSegments: false });
      await makeSegment(ctx, run, { startsAt: ctx.clock.now() });
      await endRun(ctx, { runId: run.runId, reason: 'closed' });
      ctx.clock.advance(59_000);
      expect(await stateOf(stream.streamId)).to.include({ isReceiving: true, hasSegments: true });
      const next = await makeRun(ctx, stream);
      expect(await stateOf(stream.streamId), 'a new run without media changes nothing').to.include({
        isReceiving: true,
      });
      await endRun(ctx, { runId: next.runId, reason: 'closed' });
      ctx.clock.advance(2_000);
      expect(await stateOf(stream.streamId)).to.include({ isReceiving: false });
      const ids = [stream.streamId, (await makeStream(ctx)).streamId];
      expect([...(await streamStates(ctx, [...ids, randomUUID()])).keys()]).to.have.members(ids);
    });

    it('are receiving while their session may continue, which then ends, also with the shortest reconnection time', async () => {
      const live = { ...ctx.config.live, reconnectSeconds: 5 };
      const short = { ...ctx, config: { ...ctx.config, live } };
      const stream = await makeStream(ctx);
      const run = await makeRun(ctx, stream);
      await makeSegment(ctx, run, { startsAt: ctx.clock.now() });
      ctx.clock.advance(3_600_000);
      await endIdleLiveSessions(short);
      await renew(run);
      await endRun(ctx, { runId: run.runId, reason: 'closed' });
      const isReceiving = async () => (await streamStates(short, [stream.streamId])).get(stream.streamId)?.isReceiving;
      const states = [];
      for (const advance of [4_999, 2]) {
        ctx.clock.advance(advance);
        await endIdleLiveSessions(short);
        const session = await ctx.db.model(LiveSession).findByPk(run.sessionId, { rejectOnEmpty: true });
        states.push([await isReceiving(), session.state]);
      }
      expect(states).to.deep.equal([
        [true, 'OPEN'],
        [false, 'ENDED'],
      ]);
    });
  });
});

const encoders = 4;
const rounds = 25;

describe('encoders that publish concurrently to one path', () => {
  const ctx = useFixture(openTestContext);
  const other = useFixture(() => openContext(readConfig('worker', ctx.env), { clock: ctx.clock }));

  it('never cause a deadlock', async () => {
    const stream = await makeStream(ctx);
    const encoder = async (on: OpenContext): Promise<void> => {
      for (let round = 0; round < rounds; round += 1) {
        const run = await makeRun(on, stream);
        const { runId, leaseOwner } = run;
        // Streaming time is counted at each renewal and each end.
        ctx.clock.advance(61_000);
        await Promise.all([
          renewRun(on, { runId, leaseOwner, lastMediaAt: on.clock.now(), receivedBytes: 1 }),
          makeSegment(on, run, { startsAt: new Date(), renditions: ['240p'] }),
          endRun(on, { runId, leaseOwner, reason: 'closed' }),
        ]);
        await sweepRuns(on);
      }
    };
    await Promise.all(Array.from({ length: encoders }, (_, index) => encoder(index % 2 === 0 ? ctx : other)));
    expect([await conflictsOf(ctx), await conflictsOf(other)]).to.deep.equal([0, 0]);
  });
});
