import { createWriteStream } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { buffer } from 'node:stream/consumers';
import type { CastSlate, StoredRendition } from '../../shared/cast/cast.model.js';
import type { PreparedFiles } from '../../shared/cast/preparation.lifecycle.js';
import { firstPacketAt } from '../../shared/media/audioPackets.js';
import { renderThumbnail } from '../../shared/content/thumbnailRendering.js';
import { NotFoundError } from '../../shared/platform/errors.js';
import { layOutAudio } from '../media/index.js';
import { stripBitrateHints } from '../../shared/media/mp4/index.js';
import type { WorkerContext } from '../runtime/workerContext.js';
import { createUploads } from '../runtime/uploads.js';
import type { PreparationWork } from './preparationWork.js';
import { checkSegment } from './airedSegmentCheck.js';
import { slateCommand, slateFrameRate, slateFrames } from './slateCommand.js';
import { slateImage } from './slateImage.js';

/** Width of the rendering that the slate shows, in pixels. */
const thumbnailWidth = 960;
/** An uploaded thumbnail is smaller (`maxThumbnailBytes`); a rendering of an animation may be larger. */
const largestThumbnailBytes = 32 * 1024 ** 2;

/** Encodes the segments of a slate: a loop and shorter segments, all of one silent still image, with one initialisation segment. */
export async function makeSlate(
  work: PreparationWork,
  { lines, thumbnailId }: Pick<CastSlate, 'lines' | 'thumbnailId'>,
): Promise<PreparedFiles> {
  const { ctx, folder, run } = work;
  const [name = null, time, title] = lines;
  const thumbnail = thumbnailId === null ? null : await thumbnailFile(ctx, thumbnailId);
  const next = time === undefined ? null : { time, title: title ?? '' };
  await writeFile(join(folder, 'slate.png'), await slateImage({ name, next, thumbnail }));
  const packets = firstPacketAt(slateFrames().at(-1) ?? 0, slateFrameRate);
  const { body } = await layOutAudio(ctx.media.runner, folder, null, { packets, starts: [0], channels: 2 }, run);
  await pipeline(body, createWriteStream(join(folder, 'audio.aac')));
  await ctx.media.runner.convert(slateCommand(folder, ctx.config.worker.mediaThreads), run);
  return { renditions: await storeSlate(work) };
}

/** Null if the thumbnail was removed, or is larger than a thumbnail can be. */
async function thumbnailFile(ctx: WorkerContext, thumbnailId: string): Promise<Buffer | null> {
  try {
    const { key } = await renderThumbnail(ctx, thumbnailId, thumbnailWidth);
    const stored = await ctx.storage.stat(key);
    if (!stored || stored.bytes > largestThumbnailBytes) return null;
    return await buffer(await ctx.storage.read(key));
  } catch (error) {
    if (error instanceof NotFoundError) return null;
    throw error;
  }
}

async function storeSlate({ ctx, folder, storageFolder, run }: PreparationWork): Promise<StoredRendition[]> {
  const uploads = createUploads(ctx, run.signal);
  try {
    const files: string[] = [];
    const init = join(folder, 'init.mp4');
    for (const [index, firstFrame] of slateFrames().slice(0, -1).entries()) {
      const segment = join(folder, `slate${index}.m4s`);
      const endFrame = slateFrames()[index + 1] ?? firstFrame;
      const packetAt = (frame: number): number => firstPacketAt(frame, slateFrameRate);
      const packets = { first: packetAt(firstFrame), end: packetAt(endFrame) };
      const expected = { frameRate: slateFrameRate, firstFrame, endFrame, packets };
      await checkSegment(init, segment, expected);
      const file = `${String(index).padStart(2, '0')}.m4s`;
      void uploads.add(segment, `${storageFolder}/${file}`, 'video/mp4');
      files.push(file);
    }
    void uploads.addBuffer(stripBitrateHints(await readFile(init)), `${storageFolder}/init.mp4`, 'video/mp4');
    await uploads.done();
    return [{ name: '720p', map: 'init.mp4', files }];
  } finally {
    await uploads.ended();
  }
}
