import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import sinon from 'sinon';
import { storeAirings } from '../../../shared/cast/airing.queries.js';
import { airingRetentionSeconds, removeOldAirings } from '../../../shared/cast/playout.service.js';
import { liveScopes } from '../../../shared/liveScopes.js';
import type { RetainedWindow } from '../../../shared/streaming/liveScope.js';
import { endRun } from '../../../shared/streaming/liveRun.lifecycle.js';
import { liveFileKey } from '../../../shared/streaming/liveRendition.js';
import { LiveRun, LiveSegment, LiveSession } from '../../../shared/streaming/streaming.model.js';
import { releaseStream } from '../../../shared/streaming/streamPath.service.js';
import type { JobRun } from '../../../workers/runtime/jobTypes.js';
import { createWorkerContext } from '../../../workers/runtime/workerContext.js';
import { sweepFilesHandler } from '../../../workers/sweeps/sweepFiles.js';
import { removeStreamHandler, sweepStreamsHandler } from '../../../workers/sweeps/sweepStreams.js';
import { openTestContext } from '../../support/context.js';
import { makeRun, makeSegment, makeStream, type TestRun, loseLease } from '../../support/liveStreams.js';
import { rejection, eventually } from '../../support/eventually.js';
import { startWorkers } from '../../support/workers.js';
import { useFixture, fixtureEach } from '../../support/fixtures.js';

describe('the sweep of live streams', () => {
  const ctx = useFixture(() => openTestContext({ LIVE_DVR_SECONDS: '600' }));
  const stream = fixtureEach(() => makeStream(ctx));

  afterEach(() => sinon.restore());

  const runOf = <Payload>(payload: Payload): JobRun<Payload> => ({
    ...{ ctx: createWorkerContext(ctx), log: ctx.log, payload, attempt: 1, isLastAttempt: true },
    signal: new AbortController().signal,
    reportProgress: () => {},
  });
  const sweep = () => sweepStreamsHandler(runOf({}));
  const inSeconds = (seconds: number): Date => new Date(ctx.clock.now().getTime() + seconds * 1000);
  const publish = async (run: TestRun, count: number): Promise<Date> => {
    const startsAt = ctx.clock.now();
    for (let index = 0; index < count; index += 1) {
      await makeSegment(ctx, run, { startsAt: ctx.clock.now() });
      ctx.clock.advance(2_000);
    }
    return startsAt;
  };
  const rowsOf = ({ sessionId }: TestRun): Promise<number> => ctx.db.model(LiveSegment).count({ where: { sessionId } });
  const filesOf = async ({ folder }: TestRun): Promise<string[]> => {
    const files: string[] = [];
    for await (const { key } of ctx.storage.list(`live/${folder}`)) files.push(key.split('/').at(-1) ?? '');
    return files;
  };
  const endSession = async (run: TestRun): Promise<void> => {
    await endRun(ctx, { runId: run.runId, reason: 'closed' });
    ctx.clock.advance(61_000);
    await sweep();
  };

  it('ends a run whose process has crashed at its last media, and later its session', async () => {
    const run = await makeRun(ctx, stream);
    await publish(run, 2);
    const lastMediaAt = (await ctx.db.model(LiveRun).findByPk(run.runId))!.lastMediaAt;
    ctx.clock.advance(20_000);
    await sweep();
    expect(await ctx.db.model(LiveRun).findByPk(run.runId)).to.include({ state: 'OPEN' });
    await loseLease(ctx, run);
    await Promise.all([sweep(), sweep()]);
    const ended = (await ctx.db.model(LiveRun).findByPk(run.runId))!;
    expect(ended).to.include({ state: 'ENDED', endReason: 'lease lost' });
    expect(ended.endedAt).to.deep.equal(lastMediaAt);
    expect(await ctx.db.model(LiveSession).findByPk(run.sessionId)).to.include({ state: 'OPEN' });
    ctx.clock.advance(41_000);
    await sweep();
    const session = (await ctx.db.model(LiveSession).findByPk(run.sessionId))!;
    expect([session.state, session.endedAt]).to.deep.equal(['ENDED', lastMediaAt]);
  });

  it('removes segments that are no longer rewindable, and the folder with the last of them', async () => {
    const run = await makeRun(ctx, stream);
    await publish(run, 3);
    await endSession(run);
    ctx.clock.advance(600_000);
    await sweep();
    expect([await rowsOf(run), (await filesOf(run)).length], 'within the margin').to.deep.equal([3, 8]);
    ctx.clock.advance(400_000);
    await sweep();
    expect([await rowsOf(run), await filesOf(run)]).to.deep.equal([0, []]);
    expect(await ctx.db.model(LiveRun).count({ where: { id: run.runId } }), 'runs stay').to.equal(1);
  });

  it('keeps the initialisation segments of an open session', async () => {
    const run = await makeRun(ctx, stream);
    await publish(run, 2);
    ctx.clock.advance(1_000_000);
    await sweep();
    expect([await rowsOf(run), await filesOf(run)]).to.deep.equal([0, ['init-240p-x264.mp4', 'init-720p-x264.mp4']]);
  });

  it('keeps the segments of a recording, including the one that overlaps its start', async () => {
    const run = await makeRun(ctx, stream);
    const startsAt = await publish(run, 10);
    await endSession(run);
    const window: RetainedWindow = {
      streamId: stream.streamId,
      from: new Date(startsAt.getTime() + 5_000),
      until: new Date(startsAt.getTime() + 9_000),
    };
    const windows = sinon.stub(liveScopes, 'retainedWindows').resolves([window]);
    ctx.clock.advance(1_000_000);
    await sweep();
    const kept = await ctx.db.model(LiveSegment).findAll({ where: { sessionId: run.sessionId }, order: ['sequence'] });
    expect(kept.map(({ sequence }) => sequence)).to.deep.equal([2, 3, 4]);
    expect(await filesOf(run)).to.have.length(8);
    windows.resolves([]);
    await sweep();
    expect([await rowsOf(run), await filesOf(run)]).to.deep.equal([0, []]);
  });

  it('keeps the segments that a cast channel has played until no viewer can fetch them', async () => {
    const run = await makeRun(ctx, stream);
    const starts: Date[] = [];
    for (let index = 0; index < 3; index += 1) {
      starts.push(ctx.clock.now());
      await makeSegment(ctx, run, { startsAt: ctx.clock.now() });
      ctx.clock.advance(200_000);
    }
    await endSession(run);
    const [channelId, startsAt] = [randomUUID(), starts[1]!.getTime() * 1000];
    const source = { kind: 'LIVE', sessionId: run.sessionId, discontinuity: 0, first: 1 } as const;
    const part = { sequence: 0, discontinuity: 0, startsAt, durations: [2e6], programId: null, source };
    await ctx.db.transaction((tx) => storeAirings(ctx, tx, channelId, [part], startsAt + 2e6));
    ctx.clock.advance(1_500_000);
    const sequences = async (): Promise<number[]> => {
      await removeOldAirings(ctx, runOf({}).signal);
      await sweep();
      const rows = await ctx.db.model(LiveSegment).findAll({ where: { sessionId: run.sessionId } });
      return rows.map(({ sequence }) => sequence);
    };
    expect(await sequences()).to.deep.equal([1]);
    expect(await filesOf(run)).to.have.length(4);
    ctx.clock.advance(airingRetentionSeconds * 1000);
    expect(await sequences()).to.deep.equal([]);
    expect(await filesOf(run)).to.deep.equal([]);
  });

  it('is completed by the next sweep if it fails midway', async () => {
    const run = await makeRun(ctx, stream);
    await publish(run, 3);
    await endSession(run);
    ctx.clock.advance(1_000_000);
    const change = sinon.stub(ctx.db, 'change').rejects(new Error('connection lost'));
    expect(await rejection(sweep())).to.have.property('message', 'connection lost');
    change.restore();
    expect(await rowsOf(run), 'rows without files').to.equal(3);
    await sweep();
    expect([await rowsOf(run), await filesOf(run)]).to.deep.equal([0, []]);
  });

  it('removes the files of a deleted channel at once, except those of a recording', async () => {
    const run = await makeRun(ctx, stream);
    const startsAt = await publish(run, 4);
    const workers = await startWorkers(ctx, { queues: ['sweeps'] });
    try {
      const window = { streamId: stream.streamId, from: startsAt, until: inSeconds(-6) };
      sinon.stub(liveScopes, 'retainedWindows').resolves([window]);
      await ctx.db.transaction((tx) => releaseStream(ctx, tx, stream.streamId));
      await eventually(async () => expect(await rowsOf(run)).to.equal(1));
    } finally {
      await workers.close();
    }
    sinon.restore();
    await removeStreamHandler(runOf({ streamId: stream.streamId }));
    await removeStreamHandler(runOf({ streamId: stream.streamId }));
    expect(await rowsOf(run)).to.equal(0);
  });

  it('removes day-old files that no row names', async () => {
    const run = await makeRun(ctx, stream);
    await publish(run, 2);
    const orphans = [
      `${run.folder}/720p-zombie.m4s`,
      `${run.folder}/init-zombie.mp4`,
      `${'0'.repeat(36)}-x/a.m4s`,
      'x/a.m4s',
    ];
    for (const orphan of orphans)
      await ctx.storage.put(`live/${orphan}`, Buffer.from('x'), { contentType: 'video/iso.segment' });
    await sweepFilesHandler(runOf({}));
    expect(await filesOf(run)).to.have.length(8);
    ctx.clock.advance(25 * 3600_000);
    await sweepFilesHandler(runOf({}));
    expect(await filesOf(run), 'named by rows').to.have.length(6);
    for (const orphan of orphans) expect(await ctx.storage.stat(`live/${orphan}`), orphan).to.equal(null);
    expect(await ctx.storage.stat(liveFileKey(run.folder, 'init-720p-x264.mp4'))).not.to.equal(null);
  });
});
