import { expect } from 'chai';
import { insertContent, insertDefaultSlate } from './contentRows.js';
import { segmentStart, type Grid } from '../../../shared/media/grid.js';
import type { FrameRate } from '../../../shared/media/frameRate.js';
import { extendPlayout } from '../../../shared/cast/playout.service.js';
import { setRunMedia } from '../../../shared/streaming/liveRun.lifecycle.js';
import { extendChannelHandler } from '../../../workers/daily-programming/extendChannel.js';
import { createWorkerContext } from '../../../workers/runtime/workerContext.js';
import type { TestContext } from '../context.js';
import type { ReadSegment } from '../hlsPlaylist.js';
import { makeRun, makeSegment, testRendition, type TestRun } from '../liveStreams.js';
import type { Random } from './random.js';
import type { Show, TestProgram, TestStation } from './station.js';

/*
 * A channel of the real service with a clock that tests advance: programs of all types, an encoder that comes and goes, and
 * contents and cuts that exist only as rows.
 */

const rates: readonly FrameRate[] = [
  [25, 1],
  [30_000, 1001],
  [60, 1],
];
const contentSeconds = 150;
/** Seconds with cuts; and shortly after a live program, whose end is not known in advance. */
const [usualError, errorAfterLive] = [0.3, 1.05];

interface Source {
  readonly boxId: string;
  readonly contentId: string;
  readonly grid: Grid;
}

/** The media behind a listed URL and its position: seconds of a content, or the capture time in milliseconds. */
type Shown =
  | { readonly kind: 'CONTENT'; readonly contentId: string; readonly seconds: number }
  | { readonly kind: 'LIVE'; readonly capturedAt: number }
  | { readonly kind: 'SLATE' };

export interface SimulatedStation {
  /** Advances the clock. Meanwhile, the encoder publishes and a worker extends the channel. */
  step(ms: number): Promise<void>;
  /** Replaces all editable programs. */
  edit(): Promise<void>;
  /** Runs the job that decides and requests cuts, and makes the requested cuts READY. */
  extend(): Promise<void>;
  /** Fails unless a segment is as programmed. Resolves with the start error if a program starts with it. */
  check(segment: ReadSegment, started: Set<string>): Promise<number | null>;
}

export async function simulateStation(
  ctx: TestContext,
  station: TestStation,
  random: Random,
): Promise<SimulatedStation> {
  const now = () => ctx.clock.now().getTime();
  const { owner, channelId } = station;
  await insertDefaultSlate(ctx);
  const sources: Source[] = [];
  for (const frameRate of rates) {
    const { boxItemId, contentId, grid } = await insertContent(ctx, owner.userId, {
      frameRate,
      seconds: contentSeconds,
    });
    sources.push({ boxId: boxItemId, contentId, grid });
  }
  const stream = await station.stream('Studio');
  const live = encoderOf(ctx, stream.streamId, owner.userId, random);
  let programs: TestProgram[] = [];
  let count = 0;

  const aShow = (): { show: Show; seconds: number } => {
    const chance = random.between(1, 20);
    const seconds = chance === 1 ? random.between(1, 8) : random.between(10, 90);
    if (chance > 16) return { show: { type: 'LIVE', streamId: stream.streamId }, seconds };
    if (chance > 13) return { show: { type: 'BREAK' }, seconds };
    const { boxId } = sources[random.between(0, sources.length - 1)] as Source;
    return {
      show: { type: 'PRERECORDED', boxId, offsetSeconds: random.between(0, 1) * random.between(0, 50) },
      seconds,
    };
  };
  const simulation: SimulatedStation = {
    async step(ms) {
      const until = now() + ms;
      await live.publish(until);
      ctx.clock.advance(until - now());
      await extendPlayout(ctx, channelId);
    },
    async edit() {
      const free = Math.ceil(now() / 1000 + ctx.config.cast.freezeSeconds + 5) * 1000;
      const kept = programs.filter(({ startsAt }) => startsAt < free);
      let time = Math.max(free, kept.at(-1)?.endsAt ?? 0);
      const added: TestProgram[] = [];
      while (time < now() + 900_000) {
        const { show, seconds } = aShow();
        added.push({ title: `Program ${(count += 1)}`, show, startsAt: time, endsAt: time + seconds * 1000 });
        time += seconds * 1000;
      }
      programs = [...kept, ...added];
      await station.program(programs);
      await simulation.extend();
    },
    async extend() {
      await extendChannelHandler({
        ...{ ctx: createWorkerContext(ctx), log: ctx.log, payload: { channelId }, attempt: 1, isLastAttempt: false },
        ...{ signal: new AbortController().signal, reportProgress: () => {} },
      });
      const renditions = JSON.stringify(
        ['240p', '360p', '480p', '720p', '1080p'].map((name) => ({ name, map: 'init.mp4', files: [`${name}.m4s`] })),
      );
      await ctx.db.change(
        "UPDATE cast_cuts SET state = 'READY', renditions = $renditions::jsonb WHERE state = 'WAITING'",
        { renditions },
      );
    },
    async check(segment, started) {
      const middle = segment.startsAtMs + (segment.durationSeconds * 1000) / 2;
      const index = programs.findIndex(({ startsAt, endsAt }) => startsAt <= middle && middle < endsAt);
      const program = programs[index];
      const shown = await shownBy(ctx, sources, segment.uri);
      const what = `${segment.startsAtMs} ${JSON.stringify(shown)} in ${JSON.stringify(program)}`;
      if (!program || program.show.type === 'BREAK') {
        expect(shown.kind, what).to.equal('SLATE');
        return null;
      }
      const isNearLive = programs.slice(Math.max(0, index - 3), index).some(({ show }) => show.type === 'LIVE');
      const error = (segment.startsAtMs - program.startsAt) / 1000;
      if (program.show.type === 'LIVE') {
        expect(shown.kind, what).not.to.equal('CONTENT');
        if (shown.kind === 'LIVE') expect(Math.abs(shown.capturedAt - segment.startsAtMs), what).to.be.below(1_100);
        return null;
      }
      if (shown.kind === 'SLATE' && isNearLive) return null;
      const source = sources.find(({ boxId }) => program.show.type === 'PRERECORDED' && program.show.boxId === boxId);
      if (shown.kind !== 'CONTENT') expect.fail(`not a content: ${what}`);
      expect(shown.contentId, what).to.equal(source?.contentId);
      const skew = error - (shown.seconds - (program.show.offsetSeconds ?? 0));
      expect(Math.abs(skew), what).to.be.at.most(isNearLive ? errorAfterLive : usualError);
      if (started.has(program.title)) return null;
      started.add(program.title);
      return error;
    },
  };
  await simulation.edit();
  return simulation;
}

/** An encoder with pauses: it usually publishes segments of two seconds, stored up to two seconds after their end. */
function encoderOf(
  ctx: TestContext,
  streamId: string,
  ownerId: string,
  random: Random,
): { publish(until: number): Promise<void> } {
  let run: TestRun | null = null;
  let nextAt = ctx.clock.now().getTime();
  const open = async (): Promise<TestRun> => {
    const opened = await makeRun(ctx, { streamId, ownerId, path: '' });
    await setRunMedia(ctx, { ...opened, renditions: ['720p', '240p'].map(testRendition) });
    return opened;
  };
  return {
    async publish(until) {
      while (nextAt + 3_500 < until) {
        if (random.between(1, 60) === 1) {
          nextAt += random.between(5, 250) * 100;
          run = null;
          continue;
        }
        ctx.clock.advance(Math.max(0, nextAt + 2_300 - ctx.clock.now().getTime()));
        run ??= await open();
        await makeSegment(ctx, run, { startsAt: new Date(nextAt) });
        nextAt += 2_000;
      }
    },
  };
}

async function shownBy(ctx: TestContext, sources: readonly Source[], uri: string): Promise<Shown> {
  const [, contentId, segment] = /content\/([0-9a-f-]{36})[^/]*\/.*?(\d+)\.m4s/.exec(uri) ?? [];
  if (contentId !== undefined) {
    const { grid } = sources.find((one) => one.contentId === contentId) ?? expect.fail(uri);
    return { kind: 'CONTENT', contentId, seconds: secondsOf(grid, segmentStart(grid, Number(segment))) };
  }
  const [, capturedAt] = /live\/.*\/\d+p-(\d+)-[0-9a-f]{8}\.m4s/.exec(uri) ?? [];
  if (capturedAt !== undefined) return { kind: 'LIVE', capturedAt: Number(capturedAt) };
  const [, folder] = /cast\/([^/]+)\/[^/]+\.m4s/.exec(uri) ?? [];
  const [cut] = await ctx.db.rows<{ contentId: string; firstFrame: number }>(
    'SELECT content_id, first_frame FROM cast_cuts WHERE folder = $folder',
    { folder: folder ?? '' },
  );
  if (!cut) return { kind: 'SLATE' };
  const { grid } = sources.find((one) => one.contentId === cut.contentId) ?? expect.fail(uri);
  return { kind: 'CONTENT', contentId: cut.contentId, seconds: secondsOf(grid, cut.firstFrame) };
}

function secondsOf({ frameRate: [rate, scale] }: Grid, frames: number): number {
  return (frames * scale) / rate;
}
