import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { previewCut, type Chunk } from '../../shared/media/grid.js';
import type { ChunkRendition } from '../../shared/content/chunkResult.js';
import type { ContentPlan } from '../../shared/content/plan.js';
import { segmentName, tailName } from '../../shared/content/storageKeys.js';
import { firstFrames, DamagedMediaError } from '../../shared/media/mp4/index.js';
import { MediaError } from '../media/index.js';
import type { Destination } from './destination.js';
import type { Uploads } from '../runtime/uploads.js';

interface Options {
  readonly folder: string;
  readonly plan: ContentPlan;
  readonly chunk: Chunk;
  readonly to: Destination;
  readonly uploads: Uploads;
}

/**
 * In the chunk that contains the end of the preview, cuts the segment there, at a keyframe, and stores it. Resolves with an empty
 * map for all other chunks. Throws MediaError if there is no keyframe.
 */
export async function cutPreviewTail({
  folder,
  plan,
  chunk,
  to,
  uploads,
}: Options): Promise<ReadonlyMap<string, NonNullable<ChunkRendition['tail']>>> {
  const tails = new Map<string, NonNullable<ChunkRendition['tail']>>();
  const { tail } = previewCut(plan);
  if (!tail || tail.segment < chunk.firstSegment || tail.segment >= chunk.firstSegment + chunk.segmentCount)
    return tails;
  for (const { name } of plan.renditions) {
    const init = await readFile(join(folder, name, 'init.mp4'));
    const segment = await readFile(join(folder, name, segmentName(tail.segment)));
    const cut = cutAt(name, () => firstFrames(init, segment, tail.frames, tail.segment + 1));
    await uploads.addBuffer(cut, `${to.preview}/${to.attempt}/${name}/${tailName}`, 'video/mp4');
    tails.set(name, { bytes: cut.length });
  }
  return tails;
}

function cutAt(rendition: string, cut: () => Buffer): Buffer {
  try {
    return cut();
  } catch (error) {
    if (!(error instanceof DamagedMediaError)) throw error;
    throw new MediaError(`${rendition}: the preview cannot end: ${error.message}`, { cause: error });
  }
}
