import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { CastPlayout, CastProgram } from '../../../shared/cast/cast.model.js';
import { airingEnd, type Airing } from '../../../shared/cast/playout/index.js';
import { extendPlayout, firstFreeTime } from '../../../shared/cast/playout.service.js';
import { upcomingCuts } from '../../../shared/cast/cut.service.js';
import { BoxItem } from '../../../shared/box/box.model.js';
import { Content } from '../../../shared/content/content.model.js';
import {
  addCut,
  expectJoined,
  extendedBy,
  openPlayoutFixture,
  presentSecond,
} from '../../support/cast/playoutFixture.js';
import { makeRun, makeSegment, makeStream } from '../../support/liveStreams.js';
import { setTimeout as sleep } from 'node:timers/promises';
import { useFixture } from '../../support/fixtures.js';

/* Times of airings are microseconds since 1970. */

const second = 1e6;
/** How far `extendPlayout` decides with the default settings: ahead of now, and back to the start of the first playlist. */
const ahead = 90 * second;
const back = 42 * second;

/** One line per airing: its start in seconds after `start`, its length, and its source. */
function drawn(airings: readonly Airing[], start: number): string[] {
  return airings.map((airing) => {
    const { source, startsAt } = airing;
    const what =
      source.kind === 'CUT' ? `CUT ${source.firstFrame}-${source.endFrame}` : `${source.kind} ${source.first}`;
    return `${(startsAt - start) / second} +${(airingEnd(airing) - startsAt) / second} ${what}`;
  });
}

describe('the playout of a cast channel', () => {
  const fixture = useFixture(openPlayoutFixture);

  it('decides less than the editable time, and does nothing while enough is decided', async () => {
    const { ctx } = fixture;
    const channelId = await fixture.channel();
    await extendPlayout(ctx, channelId);
    const now = ctx.clock.now().getTime() * 1000;
    const airings = await fixture.airings(channelId);
    expectJoined(airings);
    expect(airings[0]).to.include({ sequence: 0, discontinuity: 0, startsAt: now - back, programId: null });
    const last = airings.at(-1) as Airing;
    expect(airingEnd(last)).to.be.within(now + ahead, now + ahead + 4 * second);
    await extendPlayout(ctx, channelId);
    expect(await fixture.airings(channelId)).to.deep.equal(airings);
    expect(await ctx.db.model(CastPlayout).findByPk(channelId)).to.include({ decidedUntil: airingEnd(last) });
    const missing = randomUUID();
    await extendPlayout(ctx, missing);
    expect(await ctx.db.model(CastPlayout).findByPk(missing)).to.equal(null);
  });

  it('plays a content from its offset to the end of its program, with stored cuts at exact frames', async () => {
    const { ctx } = fixture;
    const channelId = await fixture.channel();
    const { boxId, contentId } = await fixture.item(600);
    const [programId] = await fixture.program(channelId, 0, [
      [30, { boxItemId: boxId, offsetSeconds: 5 }],
      [600, null],
    ]);
    const start = presentSecond(ctx);
    const began = await startOf(channelId, programId);
    // The previous slate ends within a quarter of a second of the program's start, and the program is longer or shorter by that.
    const frames = Math.round((30 - (began - start) / second) * 25);
    await addCut(ctx, contentId, [125, 200]);
    await addCut(ctx, contentId, [800, 125 + frames]);
    await reset(channelId);
    await extendPlayout(ctx, channelId);
    const shown = (await fixture.airings(channelId)).filter((airing) => airing.programId === programId);
    expect(drawn(shown, began)).to.deep.equal([
      '0 +3 CUT 125-200',
      '3 +24 CONTENT 2',
      `27 +${(125 + frames - 800) / 25} CUT 800-${125 + frames}`,
    ]);
    expect(Math.abs(airingEnd(shown.at(-1) as Airing) - (start + 30 * second))).to.be.at.most(20_000);
  });

  /** The start of a program that is decided without cuts. */
  async function startOf(channelId: string, programId: string | undefined): Promise<number> {
    await extendPlayout(fixture.ctx, channelId);
    return (await fixture.airings(channelId)).find((airing) => airing.programId === programId)?.startsAt ?? 0;
  }

  async function reset(channelId: string): Promise<void> {
    for (const table of ['cast_airings', 'cast_playouts'])
      await fixture.ctx.db.change(`DELETE FROM ${table} WHERE channel_id = $channelId`, { channelId });
  }

  it('requests the cuts of the next ten minutes', async () => {
    const { ctx } = fixture;
    const channelId = await fixture.channel();
    const { boxId, contentId } = await fixture.item(600);
    await extendPlayout(ctx, channelId);
    await fixture.program(channelId, 300, [
      [101, { boxItemId: boxId, offsetSeconds: 5 }],
      [600, null],
    ]);
    const wants = await upcomingCuts(ctx, channelId);
    const end = new Date(presentSecond(ctx) / 1000 + 401_000);
    expect(wants.map(({ firstFrame }) => firstFrame)).to.deep.equal([125, 2600]);
    expect(wants[0]).to.deep.equal({ contentId, generation: 1, firstFrame: 125, endFrame: 200, neededUntil: end });
    expect(wants[1]?.endFrame).to.be.within(2650 - 7, 2650 + 7);
  });

  it('plays a segment instead of a missing cut, and logs it', async () => {
    const { ctx } = fixture;
    const channelId = await fixture.channel();
    const { boxId, contentId } = await fixture.item(600);
    const [programId] = await fixture.program(channelId, 20, [[30, { boxItemId: boxId, offsetSeconds: 5 }]]);
    const logged: object[] = [];
    const log = { ...ctx.log, warn: (what: object) => logged.push(what) } as unknown as typeof ctx.log;
    await extendPlayout({ ...ctx, log }, channelId);
    const shown = (await fixture.airings(channelId)).filter((airing) => airing.programId === programId);
    expect(drawn(shown, shown[0]?.startsAt ?? 0)[0]).to.match(/^0 \+\d+ CONTENT 1$/);
    expect(logged[0]).to.deep.equal({ channelId, contentId, firstFrame: 125, endFrame: 200 });
  });

  it('shows the slate instead of contents that the owner lacks or may not play until the program’s end', async () => {
    const { ctx, owner } = fixture;
    const ending = await fixture.item(600);
    // The license ends during the program.
    const expiresAt = new Date(ctx.clock.now().getTime() + 50_000);
    await ctx.db.model(BoxItem).update({ expiresAt }, { where: { id: ending.boxId } });
    const failed = await fixture.item(600);
    await ctx.db.model(Content).update({ state: 'FAILED' }, { where: { id: failed.contentId } });
    const another = await openPlayoutFixture();
    const foreign = await another.item(600);
    expect(another.owner.userId).not.to.equal(owner.userId);
    for (const boxItemId of [ending.boxId, failed.boxId, foreign.boxId, randomUUID()]) {
      const channelId = await fixture.channel();
      const [programId] = await fixture.program(channelId, 0, [[60, { boxItemId }]]);
      await extendPlayout(ctx, channelId);
      const shown = (await fixture.airings(channelId)).filter((airing) => airing.programId === programId);
      expect(shown.map(({ source }) => source.kind))
        .to.include('SLATE')
        .and.not.include('CONTENT');
    }
  });

  it('plays live segments at their capture times, waits for late segments, and fills gaps with the slate', async () => {
    const { ctx, owner } = fixture;
    const channelId = await fixture.channel();
    const stream = await makeStream(ctx, owner.userId);
    const run = await makeRun(ctx, stream);
    ctx.clock.advance(1000 - (ctx.clock.now().getTime() % 1000));
    const start = presentSecond(ctx);
    const [programId] = await fixture.program(channelId, 0, [[120, { streamId: stream.streamId }]]);
    const store = async (...seconds: readonly number[]): Promise<void> => {
      for (const at of seconds) await makeSegment(ctx, run, { startsAt: new Date(start / 1000 + at * 1000) });
    };
    const shown = async (): Promise<string[]> => {
      await extendPlayout(ctx, channelId);
      const airings = (await fixture.airings(channelId)).filter((airing) => airing.programId === programId);
      return drawn(airings, airings[0]?.startsAt ?? 0).map((line) => line.replace(/ \d+$/, ''));
    };
    ctx.clock.advance(6_000);
    await store(0, 2, 4);
    expect(await shown()).to.deep.equal(['0 +6 LIVE']);
    // No segment has arrived, and the deadline of the next one has not passed.
    ctx.clock.advance(8_000);
    expect(await shown()).to.deep.equal(['0 +6 LIVE']);
    ctx.clock.advance(5_000);
    expect(await shown()).to.deep.equal(['0 +6 LIVE', '6 +2 SLATE']);
    await store(14, 16);
    ctx.clock.advance(3_000);
    expect(await shown()).to.deep.equal(['0 +6 LIVE', '6 +2 SLATE', '8 +4 SLATE', '12 +2 SLATE', '14 +4 LIVE']);
    expectJoined(await fixture.airings(channelId));
  });

  it('requests the cuts of the program after a live program when the live program’s end is decided', async () => {
    const { ctx, owner } = fixture;
    const channelId = await fixture.channel();
    const stream = await makeStream(ctx, owner.userId);
    const run = await makeRun(ctx, stream);
    const { boxId } = await fixture.item(600);
    ctx.clock.advance(1000 - (ctx.clock.now().getTime() % 1000));
    const start = ctx.clock.now().getTime();
    await fixture.program(channelId, 0, [
      [12, { streamId: stream.streamId }],
      [60, { boxItemId: boxId }],
    ]);
    const extended = async (...seconds: readonly number[]): Promise<string[]> => {
      for (const at of seconds) await makeSegment(ctx, run, { startsAt: new Date(start + at * 1000) });
      return extendedBy(ctx, () => extendPlayout(ctx, channelId));
    };
    ctx.clock.advance(7_000);
    expect(await extended(0, 2, 4)).to.deep.equal([]);
    ctx.clock.advance(7_000);
    expect(await extended(6, 8, 10)).to.deep.equal([channelId]);
    expect(await extended()).to.deep.equal([]);
  });

  it('continues at the viewers’ position after a long pause, with the next sequence numbers', async () => {
    const { ctx } = fixture;
    const channelId = await fixture.channel();
    const { boxId } = await fixture.item(7_200);
    const [programId] = await fixture.program(channelId, 0, [[7_200, { boxItemId: boxId }]]);
    await extendPlayout(ctx, channelId);
    const before = await fixture.airings(channelId);
    const start = presentSecond(ctx);
    ctx.clock.advance(3_600_000);
    await extendPlayout(ctx, channelId);
    const after = (await fixture.airings(channelId)).slice(before.length - 1);
    const [last, next] = after as [Airing, Airing];
    expect(next.sequence).to.equal(last.sequence + last.durations.length);
    expect(next.discontinuity).to.equal(last.discontinuity + 1);
    const now = ctx.clock.now().getTime() * 1000;
    expect(next).to.include({ programId, startsAt: now - back });
    const place = (next.startsAt - start) / second;
    expect(next.source.first * 4).to.be.closeTo(place, 2);
  });

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
      const [now, owner] = [ctx.clock.now(), fixture.owner.userId];
      const program = { id: randomUUID(), channelId, ownerId: owner, title: 'Late', boxItemId: boxId } as const;
      const times = { startsAt: free, endsAt: new Date(free.getTime() + 60_000), createdAt: now, updatedAt: now };
      await ctx.db.model(CastProgram).create({ ...program, type: 'PRERECORDED', ...times }, { transaction: tx });
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
