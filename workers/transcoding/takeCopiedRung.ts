import pLimit from 'p-limit';
import type { ChunkRendition } from '../../shared/content/chunkResult.js';
import type { ContentPlan } from '../../shared/content/plan.js';
import { segmentName } from '../../shared/content/storageKeys.js';
import { previewCut, type Chunk } from '../../shared/media/grid.js';
import type { WorkerContext } from '../runtime/workerContext.js';
import type { Destination } from './destination.js';

const segmentType = 'video/mp4';
const copiesAtOnce = 8;

interface Options {
  readonly ctx: WorkerContext;
  readonly plan: ContentPlan;
  readonly chunk: Chunk;
  readonly to: Destination;
  readonly signal: AbortSignal;
}

/**
 * The segments of a chunk in the rendition that the quick generation has copied: their files are copied by the store, which costs
 * nothing on one disk. Empty where all renditions are encoded.
 */
export async function takeCopiedRung({
  ctx,
  plan,
  chunk,
  to,
  signal,
}: Options): Promise<Record<string, ChunkRendition>> {
  const { copied } = plan;
  if (!copied) return {};
  const { name, segmentsKey, initKey, initName, initBytes, codecs } = copied;
  const { wholeSegments, tail } = previewCut(plan);
  const limit = pLimit(copiesAtOnce);
  const copy = (key: string, path: string, isPreviewed: boolean): Promise<void>[] =>
    [to.generation, ...(isPreviewed && !tail ? [to.preview] : [])].map((folder) =>
      limit(() => ctx.storage.copy(key, `${folder}/${path}`, { contentType: segmentType, signal })),
    );
  const copies = chunk.position === 0 ? copy(initKey, initName, true) : [];
  const segments = Array.from({ length: chunk.segmentCount }, (_, index) => chunk.firstSegment + index);
  const sizes = segments.map((segment) => {
    const key = `${segmentsKey}/${segmentName(segment)}`;
    copies.push(...copy(key, `${to.attempt}/${name}/${segmentName(segment)}`, segment < wholeSegments));
    return limit(async () => (await ctx.storage.stat(key))?.bytes ?? 0);
  });
  // Nothing is stored any more where one has failed.
  const [failed] = (await Promise.allSettled(copies)).filter((one) => one.status === 'rejected');
  if (failed) throw failed.reason;
  return { [name]: { bytes: await Promise.all(sizes), initKey: initName, initBytes, codecs } };
}
