import { createReadStream, createWriteStream } from 'node:fs';
import { mkdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { previewCut, type Chunk } from '../../shared/media/grid.js';
import type { ChunkRendition } from '../../shared/content/chunkResult.js';
import type { ContentPlan } from '../../shared/content/plan.js';
import type { WorkerContext } from '../runtime/workerContext.js';
import { readFragments } from '../../shared/media/mp4/fragments.js';
import { stripBitrateHints } from '../../shared/media/mp4/initialisation.js';
import { readMp4Tracks } from '../../shared/media/mp4/tracks.js';
import { segmentName } from '../../shared/content/storageKeys.js';
import { previewCutCommand, previewTailCommand } from '../media/previewCommand.js';
import { MediaError } from '../media/runner.js';
import { correctSegment } from '../../shared/media/mp4/segmentTimes.js';
import type { Destination } from './destination.js';
import type { Uploads } from '../runtime/uploads.js';

interface Options {
  readonly folder: string;
  readonly plan: ContentPlan;
  readonly chunk: Chunk;
  readonly to: Destination;
  readonly uploads: Uploads;
  readonly signal: AbortSignal;
}

/** File names in the folder of a rendition, in the preview. */
export const tailName = 'tail.m4s';
export const tailInitName = 'tail-init.mp4';

/** In the chunk that contains the end of the preview: cuts its segment there, without encoding, and stores it. Empty for all other chunks. */
export async function cutPreviewTail(
  ctx: WorkerContext,
  options: Options,
): Promise<ReadonlyMap<string, NonNullable<ChunkRendition['tail']>>> {
  const { folder, plan, chunk, signal } = options;
  const tails = new Map<string, NonNullable<ChunkRendition['tail']>>();
  const { tail } = previewCut(plan);
  if (!tail || tail.segment < chunk.firstSegment || tail.segment >= chunk.firstSegment + chunk.segmentCount)
    return tails;
  for (const { name } of plan.renditions) {
    await mkdir(join(folder, name, 'tail'));
    await concatenate(join(folder, name), ['init.mp4', segmentName(tail.segment)], 'joined.mp4');
  }
  for (const command of [previewCutCommand(plan, folder, tail), previewTailCommand(plan, folder, tail)]) {
    await ctx.media.runner.convert(command, { signal });
  }
  for (const { name } of plan.renditions) tails.set(name, await storeTail(options, name, tail));
  return tails;
}

async function concatenate(folder: string, names: readonly string[], name: string): Promise<void> {
  const files = async function* files() {
    for (const file of names) yield* createReadStream(join(folder, file));
  };
  await pipeline(files, createWriteStream(join(folder, name)));
}

async function storeTail(
  { folder, to, uploads }: Options,
  rendition: string,
  tail: { segment: number; frames: number; packets: number },
): Promise<NonNullable<ChunkRendition['tail']>> {
  const path = join(folder, rendition, 'tail', segmentName(tail.segment));
  const init = stripBitrateHints(await readFile(join(folder, rendition, 'tail', 'init.mp4')));
  const tracks = readMp4Tracks(init);
  // Its audio was not given to the muxer early.
  await correctSegment(path, tracks, 0);
  const samples = { video: 0, audio: 0 };
  for (const fragment of await readFragments(path)) {
    const kind = tracks.find(({ id }) => id === fragment.track)?.kind;
    if (kind) samples[kind] += fragment.samples;
  }
  if (samples.video !== tail.frames || samples.audio !== tail.packets) {
    throw new MediaError(
      `${rendition}: the preview ends with ${samples.video} frames and ${samples.audio} packets instead of ${tail.frames} and ${tail.packets}`,
    );
  }
  const prefix = `${to.preview}/${to.attempt}/${rendition}`;
  await uploads.addBuffer(init, `${prefix}/${tailInitName}`, 'video/mp4');
  await uploads.add(path, `${prefix}/${tailName}`, 'video/mp4');
  return { bytes: (await stat(path)).size, initBytes: init.length };
}
