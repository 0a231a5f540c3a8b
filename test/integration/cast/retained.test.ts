import { expect } from 'chai';
import { BoxItem } from '../../../shared/box/box.model.js';
import { storeAirings } from '../../../shared/cast/airing.queries.js';
import type { Airing, AiringSource } from '../../../shared/cast/playout/index.js';
import { queueExtensions } from '../../../shared/cast/extension.service.js';
import { airingRetentionSeconds, extendPlayout, removeOldAirings } from '../../../shared/cast/playout.service.js';
import { retainedCastWindows } from '../../../shared/cast/streamScope.queries.js';
import { ChunkRecord } from '../../../shared/content/chunk.model.js';
import { discardContent } from '../../../shared/content/content.lifecycle.js';
import { Content } from '../../../shared/content/content.model.js';
import type { JobRun } from '../../../workers/runtime/jobTypes.js';
import { extendChannelHandler } from '../../../workers/daily-programming/extendChannel.js';
import { createWorkerContext } from '../../../workers/runtime/workerContext.js';
import { cleanContentHandler } from '../../../workers/transcoding-status/cleanContent.js';
import { removeContentHandler } from '../../../workers/transcoding-status/removeContent.js';
import { extendedBy, openPlayoutFixture, type Shown } from '../../support/cast/playoutFixture.js';
import { seedBoxItem } from '../../support/rows.js';
import { useFixture } from '../../support/fixtures.js';
import { makeRun, makeSegment, makeStream } from '../../support/liveStreams.js';

describe('the history of cast channels', () => {
  const fixture = useFixture(openPlayoutFixture);
  const never = new AbortController().signal;

  const runOf = <Payload>(payload: Payload): JobRun<Payload> => ({
    ...{ ctx: createWorkerContext(fixture.ctx), log: fixture.ctx.log, payload, attempt: 1, isLastAttempt: true },
    signal: never,
    reportProgress: () => {},
  });

  /** A channel whose only airing ended `secondsAgo` seconds ago. */
  async function played(source: AiringSource, secondsAgo: number): Promise<string> {
    const { ctx } = fixture;
    const channelId = await fixture.channel();
    await extendPlayout(ctx, channelId);
    await ctx.db.change('DELETE FROM cast_airings WHERE channel_id = $channelId', { channelId });
    const startsAt = (ctx.clock.now().getTime() - secondsAgo * 1000 - 8_000) * 1000;
    await store(channelId, startsAt, { sequence: 7, discontinuity: 3, durations: [4e6, 4e6], source });
    return channelId;
  }

  /** Like `played`, with a later airing, so that the first one is not the last. */
  async function playedBefore(source: AiringSource, secondsAgo: number): Promise<string> {
    const channelId = await played(source, secondsAgo);
    await store(channelId, fixture.ctx.clock.now().getTime() * 1000, {
      ...{ sequence: 9, discontinuity: 4, durations: [4e6] },
      source: { kind: 'SLATE', slateId: channelId, lengthSeconds: 4, first: 0 },
    });
    return channelId;
  }

  function store(channelId: string, startsAt: number, part: Omit<Airing, 'startsAt' | 'programId'>): Promise<void> {
    const airing = { ...part, startsAt, programId: null };
    return fixture.ctx.db.transaction((tx) =>
      storeAirings(fixture.ctx, tx, channelId, [airing], startsAt + part.durations.length * 4e6),
    );
  }

  const sequences = async (channelId: string): Promise<number[]> =>
    (await fixture.airings(channelId)).map(({ sequence }) => sequence);

  it('is removed when no viewer can need it, except the last airing, which continues the numbering', async () => {
    const { ctx } = fixture;
    const slate = { kind: 'SLATE', slateId: 'x', lengthSeconds: 4, first: 0 } as const;
    const old = await playedBefore(slate, airingRetentionSeconds + 1);
    const recent = await playedBefore(slate, airingRetentionSeconds - 1);
    const single = await played(slate, airingRetentionSeconds + 1);
    const deleted = await played(slate, airingRetentionSeconds + 1);
    await ctx.db.change('DELETE FROM cast_playouts WHERE channel_id = $deleted', { deleted });
    await removeOldAirings(ctx, never);
    expect(await sequences(old)).to.deep.equal([9]);
    expect(await sequences(recent)).to.deep.equal([7, 9]);
    expect(await sequences(single)).to.deep.equal([7]);
    expect(await sequences(deleted)).to.deep.equal([]);
  });

  it('retains the files of a deleted content until its airings are removed', async () => {
    const { ctx } = fixture;
    const { contentId, folder } = await fixture.item(60);
    const key = `${folder}c0-a1/240p/00000.m4s`;
    await ctx.storage.put(key, Buffer.from('segment'), { contentType: 'video/iso.segment' });
    await playedBefore({ kind: 'CONTENT', contentId, generation: 1, first: 0 }, 600);
    await ctx.db.model(BoxItem).destroy({ where: { contentId } });
    await ctx.db.transaction((tx) => discardContent(ctx, tx, contentId));
    await removeContentHandler(runOf({ contentId }));
    expect(await keysOf(folder.replace(/\/$/, ''))).to.deep.equal([key]);
    ctx.clock.advance(airingRetentionSeconds * 1000);
    await removeOldAirings(ctx, never);
    await removeContentHandler(runOf({ contentId }));
    expect(await keysOf(folder.replace(/\/$/, ''))).to.deep.equal([]);
    expect(await ctx.db.model(Content).findByPk(contentId)).to.equal(null);
  });

  it('retains the files and rows of a replaced generation', async () => {
    const { ctx } = fixture;
    const { contentId, folder } = await fixture.item(60);
    const next = folder.replace(/g1\/$/, 'g2/');
    for (const [generation, base] of [
      [1, folder],
      [2, next],
    ] as const) {
      const row = { position: 0, state: 'DONE', priority: 0, folder: 'c0-a1', updatedAt: ctx.clock.now() } as const;
      await ctx.db.model(ChunkRecord).create({ contentId, generation, ...row, result: { renditions: {} } });
      for (const attempt of [1, 2])
        await ctx.storage.put(`${base}c0-a${attempt}/240p/00000.m4s`, Buffer.from('x'), { contentType: 'video/mp4' });
    }
    await ctx.db.model(Content).update({ generation: 2, readyGeneration: 2 }, { where: { id: contentId } });
    await playedBefore({ kind: 'CONTENT', contentId, generation: 1, first: 0 }, 600);
    await cleanContentHandler(runOf({ contentId }));
    const kept = [`${folder}c0-a1/240p/00000.m4s`, `${next}c0-a1/240p/00000.m4s`];
    expect((await keysOf(`content/${contentId}`)).toSorted()).to.deep.equal(kept);
    expect(await ctx.db.model(ChunkRecord).count({ where: { contentId } })).to.equal(2);
    await ctx.db.change(`DELETE FROM cast_airings WHERE source ->> 'contentId' = $contentId`, { contentId });
    await cleanContentHandler(runOf({ contentId }));
    expect(await keysOf(`content/${contentId}`)).to.deep.equal(kept.slice(1));
    expect(await ctx.db.model(ChunkRecord).count({ where: { contentId } })).to.equal(1);
  });

  async function keysOf(folder: string): Promise<string[]> {
    const keys: string[] = [];
    for await (const { key } of fixture.ctx.storage.list(folder)) keys.push(key);
    return keys;
  }

  it('retains the live segments of airings and of a program on air', async () => {
    const { ctx, owner } = fixture;
    const stream = await makeStream(ctx, owner.userId);
    const run = await makeRun(ctx, stream);
    const startsAt = new Date(ctx.clock.now().getTime() - 608_000);
    await makeSegment(ctx, run, { startsAt });
    await playedBefore({ kind: 'LIVE', sessionId: run.sessionId, discontinuity: 0, first: 0 }, 600);
    const onAir = await makeStream(ctx, owner.userId);
    const channelId = await fixture.channel();
    await fixture.program(channelId, -60, [[3_600, { streamId: onAir.streamId }]]);
    const windows = await retainedCastWindows(ctx);
    const covers = (streamId: string, time: Date): boolean =>
      windows.some((one) => one.streamId === streamId && one.from <= time && one.until > time);
    expect(covers(stream.streamId, startsAt)).to.equal(true);
    expect(covers(onAir.streamId, new Date(ctx.clock.now().getTime() - 30_000))).to.equal(true);
    expect(covers(stream.streamId, new Date(ctx.clock.now().getTime() - 7_200_000))).to.equal(false);
  });

  it('is extended by the clock for channels with a current or imminent program', async () => {
    const at = async (start: number, length: number): Promise<string> => {
      const channelId = await fixture.channel();
      await fixture.program(channelId, start, [[length, null]]);
      return channelId;
    };
    const [onAir, soon, long] = [await at(-30, 60), await at(500, 60), await at(-80_000, 86_400)];
    const [over, later] = [await at(-60, 50), await at(700, 60)];
    const queued = await queuedIn(0);
    expect(queued).to.include.members([onAir, soon, long]);
    expect(queued).not.to.include.members([over]).and.not.to.include.members([later]);
  });

  it('is not extended if everything is prepared until the next program', async () => {
    const { ctx, owner } = fixture;
    const at = async (length: number, shown: Shown): Promise<string> => {
      const channelId = await fixture.channel();
      await fixture.program(channelId, -30, [[length, shown]]);
      await extendChannelHandler(runOf({ channelId }));
      return channelId;
    };
    const film = await seedBoxItem(ctx, owner.userId, { durationMs: 7_200_000 });
    const unfinished = await seedBoxItem(ctx, owner.userId, { state: 'PENDING' });
    const { streamId } = await makeStream(ctx, owner.userId);
    const [onAir, aBreak, ending] = [
      await at(7_000, { boxItemId: film.boxId }),
      await at(7_000, null),
      await at(730, { boxItemId: film.boxId }),
    ];
    const [encoding, live] = [await at(7_000, { boxItemId: unfinished.boxId }), await at(7_000, { streamId })];
    const now = await queuedIn(0);
    expect(now, 'may still change').to.include.members([encoding, live]);
    for (const channelId of [onAir, aBreak, ending]) expect(now).not.to.include(channelId);
    const later = await queuedIn(120);
    expect(later).to.include(ending);
    for (const channelId of [onAir, aBreak]) expect(later).not.to.include(channelId);
  });

  /** The channels that the clock extends after `seconds`. */
  async function queuedIn(seconds: number): Promise<string[]> {
    const { ctx } = fixture;
    const now = new Date(ctx.clock.now().getTime() + seconds * 1000);
    return extendedBy(ctx, () => queueExtensions({ ...ctx, clock: { now: () => now } }));
  }
});
