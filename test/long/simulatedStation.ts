import { audioTrackName } from '../../shared/content/audioTracks.js';
import { randomBytes, randomUUID } from 'node:crypto';
import { BoxItem } from '../../shared/box/box.model.js';
import { CastSlate } from '../../shared/cast/cast.model.js';
import { slateLengthsSeconds, slateLoopSegments } from '../../shared/cast/playout/index.js';
import { chunkAt, planGrid, type Grid, segmentStart } from '../../shared/media/grid.js';
import { ChunkRecord } from '../../shared/content/chunk.model.js';
import { Content } from '../../shared/content/content.model.js';
import { planLadder } from '../../shared/content/ladder.js';
import type { FrameRate } from '../../shared/media/frameRate.js';
import { Rendition } from '../../shared/content/rendition.model.js';
import { attemptFolder, newFolder } from '../../shared/content/storageKeys.js';
import type { Context } from '../../shared/platform/context.js';
import { expect } from 'chai';
import { extendPlayout } from '../../shared/cast/playout.service.js';
import { setRunMedia } from '../../shared/streaming/liveRun.lifecycle.js';
import { extendChannelHandler } from '../../workers/daily-programming/extendChannel.js';
import type { TestContext } from '../support/context.js';
import type { ReadSegment } from '../support/hlsPlaylist.js';
import { makeRun, makeSegment, testRendition, type TestRun } from '../support/liveStreams.js';
import type { Random } from '../support/cast/random.js';
import type { Show, TestProgram, TestStation } from '../support/cast/station.js';
import { jobRunOf } from '../support/workers.js';

const segmentBytes = 500_000;

/** A READY content in a box, without files. */
async function insertContent(
  ctx: Context,
  ownerId: string,
  { frameRate, seconds }: { readonly frameRate: FrameRate; readonly seconds: number },
): Promise<{ boxItemId: string; contentId: string; grid: Grid }> {
  const [id, boxItemId] = [randomUUID(), randomUUID()];
  const now = ctx.clock.now();
  const times = { createdAt: now, updatedAt: now };
  const { chunkSeconds } = ctx.config.media;
  const frameCount = Math.round((seconds * frameRate[0]) / frameRate[1]);
  const grid = planGrid({ frameRate, frameCount, chunkSeconds });
  const durationMs = seconds * 1000;
  const renditions = planLadder({ width: 1920, height: 1080, bits: null, codec: 'h264', framesPerSecond: 25 });
  const source = { key: 'none', demuxer: 'mov', stream: 0, seekable: true, originSeconds: 0, still: false };
  const plan = {
    ...{ ...grid, renditions, durationMs },
    source: { ...source, interlaced: false, highDynamicRange: null },
    audio: [],
  };
  await ctx.db.model(Content).create({
    ...{
      id,
      ownerId,
      folder: newFolder(id),
      state: 'READY',
      sourceKey: 'none',
      sourceName: 'none.mp4',
      sourceBytes: 1,
    },
    ...{ generation: 1, readyGeneration: 1, durationMs, width: 1920, height: 1080, readyGrid: grid },
    ...{ hasVideo: true, hasAudio: true, plan, readyAt: now, ...times },
  });
  const codecs = 'avc1.640028';
  const initOf = (name: string): string => `init/${name}-${randomBytes(8).toString('hex')}.mp4`;
  const names = [...renditions.map(({ name }) => name), audioTrackName('audio', 0)];
  const inits = new Map(names.map((name) => [name, initOf(name)]));
  await ctx.db.model(Rendition).bulkCreate(
    renditions.map(({ name, width, height, videoBits, audioBits }, position) => ({
      ...{ contentId: id, generation: 1, name, position, width, height, videoBits, audioBits, codecs },
      initKey: inits.get(name) ?? null,
    })),
  );
  await ctx.db.model(ChunkRecord).bulkCreate(
    Array.from({ length: grid.chunkCount }, (_, position) => {
      const bytes = Array.from({ length: chunkAt(grid, position).segmentCount }, () => segmentBytes);
      const stored = (name: string) => ({ bytes, initKey: inits.get(name) ?? '', initBytes: 700, codecs });
      return {
        ...{ contentId: id, generation: 1, position, state: 'DONE' as const, priority: 0, updatedAt: now },
        folder: attemptFolder(position, 1),
        result: { renditions: Object.fromEntries(names.map((name) => [name, stored(name)])) },
      };
    }),
  );
  await ctx.db
    .model(BoxItem)
    .create({ id: boxItemId, ownerId, contentId: id, source: 'UPLOAD', title: 'A content', ...times });
  return { boxItemId, contentId: id, grid };
}

/** The default slate, as a worker stores it. */
async function insertDefaultSlate(ctx: Context): Promise<void> {
  const now = ctx.clock.now();
  const files = Array.from(
    { length: slateLoopSegments + slateLengthsSeconds.length - 1 },
    (_, index) => `s${index}.m4s`,
  );
  await ctx.db.model(CastSlate).create({
    ...{
      id: randomUUID(),
      channelId: null,
      digest: randomBytes(16).toString('hex'),
      lines: [],
      showsFrom: new Date(0),
    },
    ...{
      state: 'READY',
      folder: `slate-${randomBytes(16).toString('hex')}`,
      neededUntil: new Date('2999-01-01'),
      createdAt: now,
    },
    renditions: [{ name: 'slate', map: 'init.mp4', files }],
  });
}

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
      await extendChannelHandler(jobRunOf(ctx, { channelId }, { isLastAttempt: false }));
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
