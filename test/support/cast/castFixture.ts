import { randomUUID } from 'node:crypto';
import { CastCut, CastPlayout, CastSlate, type StoredRendition } from '../../../shared/cast/cast.model.js';
import { storeAirings } from '../../../shared/cast/airing.queries.js';
import { airingEnd, type Airing, type AiringSource } from '../../../shared/cast/playout/index.js';
import { castFileKey } from '../../../shared/cast/cutAndSlateFiles.queries.js';
import { ChunkRecord } from '../../../shared/content/chunk.model.js';
import { Content } from '../../../shared/content/content.model.js';
import { Rendition } from '../../../shared/content/rendition.model.js';
import { planGrid } from '../../../shared/media/grid.js';
import { generationFolder, newFolder, segmentName } from '../../../shared/content/storageKeys.js';
import type { Context } from '../../../shared/platform/context.js';
import type { ProcessContext } from '../../../shared/platform/processContext.js';
import { ContextParts } from '../../../shared/platform/contextParts.js';
import { publicToken, startApi, type TestApi } from '../api.js';
import { makeRun, makeSegment, makeStream } from '../liveStreams.js';
import { sharedService, type SharedService } from '../fixtures.js';
import { createLoggedInUser, type TestUser } from '../users.js';

/*
 * Channels whose airings are written as playout writes them, with files that contain their own storage keys: playback can be
 * tested without ffmpeg and without programs.
 */

/** An airing to write: its source and the durations of its segments. */
export interface Played {
  readonly source: AiringSource;
  readonly seconds: readonly number[];
}

export interface CastFixture extends SharedService {
  readonly owner: TestUser;
  /** A public token. */
  readonly anybody: string;
  /** Creates a channel. */
  channel(by?: TestUser): Promise<string>;
  /** `writePlayed` */
  play(channelId: string, startsAtMs: number, played: readonly Played[]): Promise<void>;
  /** A web process with separate caches. The test closes it. */
  process(changes?: Partial<ProcessContext>): Promise<TestApi>;
}

export async function openCastFixture(): Promise<CastFixture> {
  const { ctx, api } = await sharedService();
  const owner = await createLoggedInUser(ctx);
  return {
    ...{ ctx, api, owner, anybody: await publicToken(api) },
    async channel(by = owner) {
      const body = { name: 'Channel one', streamPath: `path-${randomUUID()}` };
      const { text, body: channel } = await api.call('POST', '/api/cast/channel', { token: by.token, body });
      if (!channel?.channelId) throw new Error(text);
      return channel.channelId;
    },
    play: (channelId, startsAtMs, played) => writePlayed(ctx, channelId, startsAtMs, played),
    process: (changes = {}) => startApi(processOf(ctx, changes)),
  };
}

/** Writes airings from this channel time on (milliseconds since 1970), starting with sequence 100 and discontinuity 7. */
export async function writePlayed(
  ctx: Context,
  channelId: string,
  startsAtMs: number,
  played: readonly Played[],
): Promise<void> {
  const airings: Airing[] = [];
  for (const { source, seconds } of played) {
    const last = airings.at(-1);
    airings.push({
      sequence: last ? last.sequence + last.durations.length : 100,
      discontinuity: last ? last.discontinuity + 1 : 7,
      startsAt: last ? airingEnd(last) : startsAtMs * 1000,
      durations: seconds.map((one) => Math.round(one * 1e6)),
      ...{ programId: null, source },
    });
  }
  const decidedUntil = airings.at(-1) ? airingEnd(airings.at(-1) as Airing) : startsAtMs * 1000;
  await ctx.db.transaction(async (transaction) => {
    await ctx.db.model(CastPlayout).create({ channelId, decidedUntil }, { transaction });
    await storeAirings(ctx, transaction, channelId, airings, decidedUntil);
  });
}

/** The context of another process. */
export function processOf(ctx: ProcessContext, changes: Partial<ProcessContext> = {}): ProcessContext {
  return { ...ctx, parts: new ContextParts(), ...changes };
}

/** A READY content with two segments per chunk and separate audio files. Resolves with its source by first segment. */
export async function storeContent(
  ctx: Context,
  ownerId: string,
  { renditions = ['240p', '480p'], segmentCount = 12, audio = ['audio-0'] } = {},
): Promise<(first: number) => AiringSource> {
  const now = ctx.clock.now();
  const id = randomUUID();
  const folder = newFolder(id);
  const base = generationFolder({ id, folder }, 1);
  const times = { createdAt: now, updatedAt: now };
  await ctx.db.model(Content).create({
    ...{ id, ownerId, folder, state: 'READY', generation: 1, readyGeneration: 1, readyAt: now, ...times },
    ...{ sourceKey: `sources/${id}/original`, sourceName: 'a.mp4', sourceBytes: 1, durationMs: segmentCount * 4000 },
    readyGrid: planGrid({ frameRate: [25, 1], frameCount: segmentCount * 100, chunkSeconds: 8 }),
  });
  const names = [...renditions, ...audio];
  const mapOf = (name: string): string => `init/${name}-0011.mp4`;
  for (const [position, name] of renditions.entries()) {
    const columns = { width: 2, height: 2, videoBits: 1, audioBits: 1, codecs: 'avc1', initKey: mapOf(name) };
    await ctx.db.model(Rendition).create({ contentId: id, generation: 1, name, position, ...columns });
  }
  for (const name of names) await putFile(ctx, `${base}/${mapOf(name)}`);
  for (let position = 0; position * 2 < segmentCount; position += 1) {
    const segments = [position * 2, position * 2 + 1].filter((segment) => segment < segmentCount);
    const result = Object.fromEntries(
      names.map((name) => [
        name,
        { bytes: segments.map(() => 100), initKey: mapOf(name), initBytes: 100, codecs: 'avc1' },
      ]),
    );
    const row = { position, state: 'DONE', priority: 0, folder: `c${position}-a1`, updatedAt: now } as const;
    await ctx.db.model(ChunkRecord).create({ contentId: id, generation: 1, ...row, result: { renditions: result } });
    for (const name of names)
      for (const segment of segments) await putFile(ctx, `${base}/c${position}-a1/${name}/${segmentName(segment)}`);
  }
  return (first) => ({ kind: 'CONTENT', contentId: id, generation: 1, first });
}

/** A cut of one segment in these renditions, with these separate audio tracks. */
export async function storeCut(
  ctx: Context,
  renditions: readonly string[],
  options: { readonly contentId?: string; readonly firstFrame?: number; readonly audio?: readonly string[] } = {},
): Promise<AiringSource> {
  const { contentId = randomUUID(), firstFrame = 0, audio = [] } = options;
  const id = randomUUID();
  const { renditions: stored, ...still } = await cutAndSlateFiles(ctx, id, [...renditions, ...audio], 1);
  const files = { renditions: stored.slice(0, renditions.length), audio: stored.slice(renditions.length) };
  const frames = { contentId, generation: 1, firstFrame, endFrame: firstFrame + 60 };
  await ctx.db.model(CastCut).create({ ...still, ...frames, ...files });
  return { kind: 'CUT', cutId: id, ...frames, first: 0 };
}

/** A slate: fifteen segments of 4 s, and one each of 2, 1 and 0.5 s. */
export async function storeSlate(
  ctx: Context,
  channelId: string,
): Promise<(lengthSeconds: number, first: number) => AiringSource> {
  const id = randomUUID();
  const still = await cutAndSlateFiles(ctx, id, ['720p'], 18);
  await ctx.db.model(CastSlate).create({ ...still, channelId, digest: id, lines: [], showsFrom: ctx.clock.now() });
  return (lengthSeconds, first) => ({ kind: 'SLATE', slateId: id, lengthSeconds, first });
}

async function cutAndSlateFiles(ctx: Context, id: string, names: readonly string[], count: number) {
  const folder = `${id}-00112233445566778899aabbccddeeff`;
  const renditions: StoredRendition[] = names.map((name) => ({
    name,
    map: `${name}-init.mp4`,
    files: Array.from({ length: count }, (_, index) => `${name}-${index}.m4s`),
  }));
  for (const { map, files } of renditions)
    for (const file of [map, ...files]) await putFile(ctx, castFileKey(folder, file));
  const now = ctx.clock.now();
  return { id, folder, state: 'READY', renditions, neededUntil: now, createdAt: now } as const;
}

/** Segments of two seconds of a new session, captured from this time on. */
export async function storeLive(
  ctx: Context,
  ownerId: string,
  { startsAtMs, count, renditions = ['720p', '240p'] }: { startsAtMs: number; count: number; renditions?: string[] },
): Promise<AiringSource> {
  const run = await makeRun(ctx, await makeStream(ctx, ownerId));
  const numbers = [];
  for (let index = 0; index < count; index += 1)
    numbers.push(await makeSegment(ctx, run, { startsAt: new Date(startsAtMs + index * 2000), renditions }));
  const { sequence = 0, discontinuity = 0 } = numbers[0] ?? {};
  return { kind: 'LIVE', sessionId: run.sessionId, discontinuity, first: sequence };
}

async function putFile(ctx: Context, key: string): Promise<void> {
  const contentType = key.endsWith('.mp4') ? 'video/mp4' : 'video/iso.segment';
  await ctx.storage.put(key, Buffer.from(key), { contentType });
}
