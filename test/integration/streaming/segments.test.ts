import { expect } from 'chai';
import { endRun, endRunOf } from '../../../shared/streaming/liveRun.lifecycle.js';
import { liveSegmentSeconds } from '../../../shared/media/segmentSeconds.js';
import { maxSegmentMicroseconds } from '../../../shared/streaming/segment.service.js';
import { LiveSegment, LiveRun } from '../../../shared/streaming/streaming.model.js';
import { makeRun, makeSegment, makeStream, type TestStream, loseLease } from '../../support/liveStreams.js';
import { rejection } from '../../support/eventually.js';
import { serviceFixture, useFixture } from '../../support/fixtures.js';
import { randomUUID } from 'node:crypto';
import { claimOffered, offerRun, releaseRun } from '../../../shared/streaming/offeredRun.lifecycle.js';
import { renewRun } from '../../support/liveRun.js';
import { openTestContext } from '../../support/context.js';

describe('the segments of a run', () => {
  const { ctx } = serviceFixture();

  const after = (seconds: number): Date => new Date(ctx.clock.now().getTime() + seconds * 1000);
  const rowsOf = (sessionId: string): Promise<LiveSegment[]> =>
    ctx.db.model(LiveSegment).findAll({ where: { sessionId }, order: ['sequence'] });

  it('are numbered without gaps, with one discontinuity per run', async () => {
    const stream = await makeStream(ctx);
    const first = await makeRun(ctx, stream);
    expect(await makeSegment(ctx, first, { startsAt: after(0) })).to.deep.equal({ sequence: 0, discontinuity: 0 });
    expect(await makeSegment(ctx, first, { startsAt: after(2) })).to.deep.equal({ sequence: 1, discontinuity: 0 });
    await makeRun(ctx, stream);
    const third = await makeRun(ctx, stream);
    expect(
      await makeSegment(ctx, third, { startsAt: after(4) }),
      'a run without segments takes no number',
    ).to.deep.equal({ sequence: 2, discontinuity: 1 });
  });

  it('start a discontinuity if the renditions or their initialisation change, or the packager requests it', async () => {
    const run = await makeRun(ctx, await makeStream(ctx));
    const steps = [
      { renditions: ['720p', '480p', '240p'] },
      { renditions: ['720p', '480p', '240p'] },
      { renditions: ['480p', '240p'] },
      { renditions: ['480p', '240p'] },
      { renditions: ['480p', '240p'], encoder: 'other' },
      { renditions: ['480p', '240p'], encoder: 'other', isDiscontinuous: true },
      { renditions: ['480p', '240p'], encoder: 'other' },
    ];
    const numbers: (number | undefined)[] = [];
    for (const [index, step] of steps.entries())
      numbers.push((await makeSegment(ctx, run, { ...step, startsAt: after(2 * index) }))?.discontinuity);
    expect(numbers).to.deep.equal([0, 0, 1, 1, 2, 3, 3]);
  });

  it('are stored once, also if they are sent again after a lost response', async () => {
    const run = await makeRun(ctx, await makeStream(ctx));
    const segment = { startsAt: after(0) };
    const numbers = await Promise.all(Array.from({ length: 5 }, () => makeSegment(ctx, run, segment)));
    for (const each of numbers) expect(each).to.deep.equal({ sequence: 0, discontinuity: 0 });
    expect(await makeSegment(ctx, run, { startsAt: after(2) })).to.deep.equal({ sequence: 1, discontinuity: 0 });
    expect(await makeSegment(ctx, run, segment)).to.deep.equal({ sequence: 0, discontinuity: 0 });
    expect(await rowsOf(run.sessionId)).to.have.length(2);
  });

  it('are not stored and take no number if the run is lost', async () => {
    const run = await makeRun(ctx, await makeStream(ctx));
    await makeSegment(ctx, run, { startsAt: after(0) });
    expect(await makeSegment(ctx, { ...run, leaseOwner: 'a zombie' }, { startsAt: after(2) })).to.equal(null);
    await endRun(ctx, { runId: run.runId, reason: 'closed' });
    expect(await makeSegment(ctx, run, { startsAt: after(2) })).to.equal(null);
    expect(await rowsOf(run.sessionId)).to.have.length(1);
  });

  it('are stored from only one of two processes that both claim the run', async () => {
    const stream = await makeStream(ctx);
    let claim = await makeRun(ctx, stream);
    const zombies = [claim];
    const written: string[] = [];
    for (let round = 0; round < 15; round += 1) {
      const attempts = zombies.map(async (run, index) => {
        const numbers = await makeSegment(ctx, run, { startsAt: after(round * 2 + index / 100) });
        if (numbers) written.push(run.runId);
        return numbers;
      });
      const taking = round % 3 === 2 ? makeRun(ctx, stream) : null;
      await Promise.all(attempts);
      if (taking) {
        claim = await taking;
        zombies.push(claim);
      }
    }
    const rows = await rowsOf(claim.sessionId);
    expect(rows.map(({ sequence }) => sequence)).to.deep.equal(rows.map((_, index) => index));
    // The runs follow each other in the order of numbers: none returns after its successor.
    const runs = rows.map(({ runId }) => runId).filter((runId, index, all) => runId !== all[index - 1]);
    expect(new Set(runs).size).to.equal(runs.length);
    expect(rows.length).to.equal(written.length);
  });

  it('are rejected above the playlists’ target duration', async () => {
    const run = await makeRun(ctx, await makeStream(ctx));
    const tooLong = makeSegment(ctx, run, { startsAt: after(0), durationSeconds: liveSegmentSeconds + 0.5 });
    expect(await rejection(tooLong)).to.be.instanceOf(RangeError);
    expect(
      await makeSegment(ctx, run, { startsAt: after(0), durationSeconds: maxSegmentMicroseconds / 1e6 }),
    ).to.include({ sequence: 0 });
  });
});

describe('an offered run', () => {
  const ctx = useFixture(openTestContext);

  const pullUrl = 'rtmp://127.0.0.1/live/path';
  const offer = ({ streamId, ownerId }: TestStream, serverKey: string) =>
    offerRun(ctx, { streamId, ownerId, serverKey, pullUrl, clientAddress: '192.0.2.1' });
  const rowOf = async (id: string): Promise<LiveRun> => (await ctx.db.model(LiveRun).findByPk(id))!;

  it('is claimed by one process', async () => {
    const stream = await makeStream(ctx);
    const { runId } = await offer(stream, randomUUID());
    const claims = await Promise.all(Array.from({ length: 5 }, (_, index) => claimOffered(ctx, `process ${index}`)));
    const claimed = claims.filter((claim) => claim !== null);
    expect(claimed).to.have.length(1);
    const row = await rowOf(runId);
    expect(claimed[0]).to.include({ runId, streamId: stream.streamId, ownerId: stream.ownerId, pullUrl });
    expect(row).to.include({ state: 'OPEN', sessionId: claimed[0]!.sessionId });
    expect(await claimOffered(ctx, 'another')).to.equal(null);
    await endRunOf(ctx, { serverKey: row.serverKey!, reason: 'publish_done' });
  });

  it('is offered once for repeated hooks, concurrent or after its end', async () => {
    const stream = await makeStream(ctx);
    const serverKey = randomUUID();
    const offered = await Promise.all(Array.from({ length: 5 }, () => offer(stream, serverKey)));
    expect(new Set(offered.map(({ runId }) => runId)).size).to.equal(1);
    await endRunOf(ctx, { serverKey, reason: 'publish_done' });
    await endRunOf(ctx, { serverKey, reason: 'publish_done' });
    await endRunOf(ctx, { serverKey: randomUUID(), reason: 'unknown' });
    expect(await offer(stream, serverKey)).to.deep.equal(offered[0]);
    expect(await rowOf(offered[0]!.runId)).to.include({ state: 'ENDED' });
    expect(await claimOffered(ctx, 'process')).to.equal(null);
  });

  it('is claimed by another process if its process crashed, as a new run of the same session', async () => {
    const stream = await makeStream(ctx);
    const serverKey = randomUUID();
    await offer(stream, serverKey);
    const first = (await claimOffered(ctx, 'process 1'))!;
    const zombie = { ...first, leaseOwner: 'process 1' };
    await makeSegment(ctx, zombie, { startsAt: ctx.clock.now() });
    expect(await claimOffered(ctx, 'process 2')).to.equal(null);
    await loseLease(ctx, first);
    const second = (await claimOffered(ctx, 'process 2'))!;
    expect(second).to.include({ sessionId: first.sessionId, pullUrl });
    expect(second.runId).not.to.equal(first.runId);
    expect(await makeSegment(ctx, zombie, { startsAt: new Date() })).to.equal(null);
    expect(await renewRun(ctx, { ...zombie, lastMediaAt: null, receivedBytes: 0 })).to.equal(false);
    const next = { ...second, leaseOwner: 'process 2' };
    expect(await makeSegment(ctx, next, { startsAt: new Date() })).to.deep.equal({ sequence: 1, discontinuity: 1 });
    await endRunOf(ctx, { serverKey, reason: 'publish_done' });
    expect(await rowOf(second.runId)).to.include({ state: 'ENDED', endReason: 'publish_done' });
  });

  it('is claimed again at once after its release, and after growing pauses if that repeats', async () => {
    const stream = await makeStream(ctx);
    const serverKey = randomUUID();
    await offer(stream, serverKey);
    const pauses: number[] = [];
    for (let round = 0; round < 9; round += 1) {
      const { runId } = (await claimOffered(ctx, 'process'))!;
      await releaseRun(ctx, { runId, leaseOwner: 'process' });
      const [row] = await ctx.db.rows<{ seconds: number }>(
        'SELECT round(extract(epoch FROM lease_until - now()))::int AS seconds FROM live_runs WHERE id = $runId',
        { runId },
      );
      pauses.push(row!.seconds);
      await loseLease(ctx, { runId });
    }
    expect(pauses.map((pause) => Math.max(0, pause))).to.deep.equal([0, 1, 2, 4, 8, 16, 30, 30, 30]);
    ctx.clock.advance(301_000);
    const { runId } = (await claimOffered(ctx, 'process'))!;
    await releaseRun(ctx, { runId, leaseOwner: 'process' });
    expect(await claimOffered(ctx, 'another')).to.include({ streamId: stream.streamId });
    await endRunOf(ctx, { serverKey, reason: 'publish_done' });
  });

  it('ends when an encoder of the owner connects elsewhere', async () => {
    const stream = await makeStream(ctx);
    const { runId } = await offer(stream, randomUUID());
    const next = await offer(stream, randomUUID());
    expect(await rowOf(runId)).to.include({ state: 'ENDED', endReason: 'taken over' });
    expect(await claimOffered(ctx, 'process')).to.include({ runId: next.runId });
  });

  it('opens a new session if it has waited longer than its session lasts', async () => {
    const stream = await makeStream(ctx);
    const { runId } = await offer(stream, randomUUID());
    const { sessionId } = await rowOf(runId);
    ctx.clock.advance(61_000);
    const claimed = await claimOffered(ctx, 'process');
    expect(claimed).to.include({ runId });
    expect(claimed?.sessionId).not.to.equal(sessionId);
  });
});
