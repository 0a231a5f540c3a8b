import { expect } from 'chai';
import { insertContent, insertDefaultSlate } from '../../../scripts/bench/castChannels.js';
import { openContext } from '../../../shared/context.js';
import { readConfig } from '../../../shared/settings.js';
import { segmentStart, type Grid } from '../../../shared/content/chunkPlan.js';
import type { FrameRate } from '../../../shared/content/plan.js';
import { setRunMedia } from '../../../shared/streaming/run.lifecycle.js';
import { publicToken, startApi, type TestApi } from '../../support/api.js';
import { openStation, type Show, type TestProgram, type TestStation } from '../../support/cast/station.js';
import { createTestClock, openTestContext, type TestClock, type TestContext } from '../../support/context.js';
import { MediaPlaylistRules } from '../../support/hlsReader.js';
import type { ReadSegment } from '../../support/hlsPlaylist.js';
import { makeRun, makeSegment, testRendition, type TestRun } from '../../support/liveStreams.js';
import { extend } from '../../../workers/daily-programming/extend.js';
import { createWorkerContext } from '../../../workers/runtime/workerContext.js';

/** Minutes of the channel's clock: more in a longer run. */
const minutes = Number(process.env['CAST_TEST_MINUTES'] ?? 30);
const seeds = (process.env['CAST_TEST_SEEDS'] ?? '1').split(',').map(Number);
const freezeSeconds = 30;
const settings = { CAST_FREEZE_SECONDS: String(freezeSeconds), CAST_MAX_HEIGHT: '720' };
const rates: readonly FrameRate[] = [
  [25, 1],
  [30_000, 1001],
  [60, 1],
];
const contentSeconds = 150;
/** With cuts; and where a live program is not far before, whose end is not known in advance. */
const [usualError, errorAfterLive] = [0.3, 1.05];

interface Source {
  readonly boxId: string;
  readonly contentId: string;
  readonly grid: Grid;
}

/** What a listed address shows, and where this is in it: seconds of a content, or the time of capture in milliseconds. */
type Shown =
  | { readonly kind: 'CONTENT'; readonly contentId: string; readonly seconds: number }
  | { readonly kind: 'LIVE'; readonly capturedAt: number }
  | { readonly kind: 'SLATE' };

/** Random numbers from 0 to 1 that are the same for each seed (mulberry32). */
function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/**
 * A channel on the real service whose clock is moved: programs of all types, edits at random moments, an encoder that comes
 * and goes, two web processes, one of which starts again and again with a clock that is up to a second off.
 */
describe('a cast channel over a longer time', function () {
  this.timeout(600_000);
  for (const seed of seeds)
    it(`shows what is programmed, and keeps the rules of RFC 8216, seed ${seed}`, () => simulate(seed));
});

async function simulate(seed: number): Promise<void> {
  const random = randomFrom(seed);
  const between = (least: number, most: number): number => least + Math.floor(random() * (most - least + 1));
  const ctx = await openTestContext(settings);
  const api = await startApi(ctx);
  let second = await openSecond(ctx);
  try {
    const station = await openStation(ctx, api);
    const run = await openSimulation(ctx, station, between);
    const path = new URL((await station.play(await publicToken(api))).replace('master.m3u8', '720p.m3u8')).pathname;
    const rules = new MediaPlaylistRules();
    const checked = new Set<number>();
    const errors: number[] = [];
    const started = new Set<string>();
    for (const end = ctx.clock.now().getTime() + minutes * 60_000; ctx.clock.now().getTime() < end;) {
      const stepMs = between(1_000, 9_000);
      await run.step(stepMs);
      second.clock.advance(ctx.clock.now().getTime() - second.clock.now().getTime());
      if (between(1, 40) === 1) {
        await second.close();
        second = await openSecond(ctx);
      }
      if (between(1, 40) === 1) await run.edit();
      if (between(1, 5) === 1) await run.extend();
      const text = await playlistOf(api, path);
      expect(await playlistOf(second.api, path), 'the playlist of the other process').to.equal(text);
      // Its clock is wrong for a moment: it may list more or less, but nothing else.
      second.clock.advance(between(-1_000, 1_000));
      new MediaPlaylistRules().check(await playlistOf(second.api, path));
      for (const segment of rules.check(text).segments) {
        if (checked.has(segment.sequence)) continue;
        checked.add(segment.sequence);
        expect(segment.startsAtMs + segment.durationSeconds * 1000, 'no segment of the future').to.be.at.most(
          ctx.clock.now().getTime(),
        );
        const error = await run.check(segment, started);
        if (error !== null) errors.push(Math.abs(error));
      }
    }
    const sorted = errors.toSorted((left, right) => left - right);
    const [median, worst] = [sorted[Math.floor(sorted.length / 2)] ?? Number.NaN, sorted.at(-1) ?? Number.NaN];
    console.error(
      `      ${started.size} programs, ${checked.size} segments; start errors: median ${median.toFixed(3)} s, worst ${worst.toFixed(3)} s`,
    );
  } finally {
    await second.close();
    await api.close();
    await ctx.close();
  }
}

/** Another web process on the same database, with a clock of its own. */
async function openSecond(ctx: TestContext): Promise<{ api: TestApi; clock: TestClock; close(): Promise<void> }> {
  const clock = createTestClock(ctx.clock.now());
  const other = await openContext(readConfig('web', ctx.env), { clock });
  const api = await startApi(other);
  return {
    ...{ api, clock },
    async close() {
      await api.close();
      await other.close();
    },
  };
}

async function playlistOf(api: TestApi, path: string): Promise<string> {
  const response = await fetch(`${api.url}${path}`);
  const text = await response.text();
  expect(response.status, text).to.equal(200);
  return text;
}

interface Simulation {
  /** Moves the clock, and the encoder publishes meanwhile. */
  step(ms: number): Promise<void>;
  /** Replaces all that may be replaced. */
  edit(): Promise<void>;
  /** The job that decides and asks for cuts; what it has asked for is ready afterwards. */
  extend(): Promise<void>;
  /** Fails where a segment is not what is programmed. Resolves with the start error where a program begins with it. */
  check(segment: ReadSegment, started: Set<string>): Promise<number | null>;
}

async function openSimulation(
  ctx: TestContext,
  station: TestStation,
  between: (least: number, most: number) => number,
): Promise<Simulation> {
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
  const live = encoderOf(ctx, stream.streamId, owner.userId, between);
  let programs: TestProgram[] = [];
  let count = 0;

  const aShow = (): { show: Show; seconds: number } => {
    const chance = between(1, 20);
    const seconds = chance === 1 ? between(1, 8) : between(10, 90);
    if (chance > 16) return { show: { type: 'LIVE', streamId: stream.streamId }, seconds };
    if (chance > 13) return { show: { type: 'BREAK' }, seconds };
    const { boxId } = sources[between(0, sources.length - 1)] as Source;
    return { show: { type: 'PRERECORDED', boxId, offsetSeconds: between(0, 1) * between(0, 50) }, seconds };
  };
  const simulation: Simulation = {
    async step(ms) {
      const until = now() + ms;
      await live.publish(until);
      ctx.clock.advance(until - now());
    },
    async edit() {
      const free = Math.ceil(now() / 1000 + freezeSeconds + 5) * 1000;
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
      await extend({
        ...{ ctx: createWorkerContext(ctx), log: ctx.log, payload: { channelId }, attempt: 1, isLastAttempt: false },
        ...{ signal: new AbortController().signal, reportProgress: async () => {} },
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

/** An encoder with pauses: most of the time it publishes segments of two seconds, stored up to two seconds after their end. */
function encoderOf(
  ctx: TestContext,
  streamId: string,
  ownerId: string,
  between: (least: number, most: number) => number,
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
        if (between(1, 60) === 1) {
          nextAt += between(5, 250) * 100;
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
