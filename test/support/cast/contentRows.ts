import { audioTrackName } from '../../../shared/content/audioTracks.js';
import { randomBytes, randomUUID } from 'node:crypto';
import { BoxItem } from '../../../shared/box/box.model.js';
import { CastSlate } from '../../../shared/cast/cast.model.js';
import { slateLengthsSeconds, slateLoopSegments } from '../../../shared/cast/playout/index.js';
import { chunkAt, planGrid, type Grid } from '../../../shared/media/grid.js';
import { ChunkRecord } from '../../../shared/content/chunk.model.js';
import { Content } from '../../../shared/content/content.model.js';
import { planLadder } from '../../../shared/content/ladder.js';
import type { FrameRate } from '../../../shared/media/frameRate.js';
import { Rendition } from '../../../shared/content/rendition.model.js';
import { attemptFolder, newFolder } from '../../../shared/content/storageKeys.js';
import type { Context } from '../../../shared/platform/context.js';

const segmentBytes = 500_000;

/** A READY content in a box, without files. */
export async function insertContent(
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
export async function insertDefaultSlate(ctx: Context): Promise<void> {
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
