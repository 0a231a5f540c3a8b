import { expect } from 'chai';
import { endRun } from '../../../shared/streaming/liveRun.lifecycle.js';
import { liveSegmentSeconds } from '../../../shared/media/segmentSeconds.js';
import { maxSegmentMicroseconds } from '../../../shared/streaming/segment.service.js';
import { LiveSegment } from '../../../shared/streaming/streaming.model.js';
import { makeRun, makeSegment, makeStream } from '../../support/liveStreams.js';
import { rejection } from '../../support/rejection.js';
import { serviceFixture } from '../../support/service.js';

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
