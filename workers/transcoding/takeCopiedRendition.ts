import pLimit from 'p-limit';
import type { ChunkRendition } from '../../shared/content/chunkResult.js';
import { isPreviewed, type ContentPlan } from '../../shared/content/plan.js';
import { segmentName, tailName } from '../../shared/content/storageKeys.js';
import { previewCut, type Chunk } from '../../shared/media/grid.js';
import { PlanOutdatedError } from '../content/planAgain.js';
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
 * Copies the segments of a chunk in the rendition of the quick generation within the storage, which is free on one disk. Empty if
 * all renditions are encoded. Throws PlanOutdatedError if a file is missing: the next plan encodes the rendition.
 */
export async function takeCopiedRendition({
  ctx,
  plan,
  chunk,
  to,
  signal,
}: Options): Promise<Record<string, ChunkRendition>> {
  const { copied } = plan;
  if (!copied) return {};
  const { name, folders, initKey, initName, initBytes, codecs } = copied;
  const { completeSegments, tail: cut } = previewCut(plan);
  const limit = pLimit(copiesAtOnce);
  const copyTo = (key: string, path: string): Promise<void> =>
    limit(() => ctx.storage.copy(key, path, { contentType: segmentType, signal }));
  const copy = (key: string, path: string, isInPreview: boolean): Promise<void>[] =>
    [to.generation, ...(isInPreview && isPreviewed(plan, copied) ? [to.preview] : [])].map((folder) =>
      copyTo(key, `${folder}/${path}`),
    );
  const segments = Array.from({ length: chunk.segmentCount }, (_, index) => chunk.firstSegment + index);
  const keyOf = (segment: number): string =>
    `${folders.findLast(({ firstSegment }) => firstSegment <= segment)?.key}/${segmentName(segment)}`;
  const bytes = await Promise.all(segments.map((segment) => limit(() => sizeOf(ctx, keyOf(segment)))));
  const copies = chunk.position === 0 ? copy(initKey, initName, true) : [];
  for (const segment of segments)
    copies.push(...copy(keyOf(segment), `${to.attempt}/${name}/${segmentName(segment)}`, segment < completeSegments));
  const tail = segments.some((segment) => segment === cut?.segment) ? copied.tail : null;
  if (tail) copies.push(copyTo(tail.key, `${to.preview}/${to.attempt}/${name}/${tailName}`));
  // After a failure, wait for the other copies, so that none is stored later.
  const [failed] = (await Promise.allSettled(copies)).filter((one) => one.status === 'rejected');
  if (failed) throw failed.reason;
  return { [name]: { bytes, initKey: initName, initBytes, codecs, ...(tail ? { tail: { bytes: tail.bytes } } : {}) } };
}

async function sizeOf(ctx: WorkerContext, key: string): Promise<number> {
  const stored = await ctx.storage.stat(key);
  if (!stored) throw new PlanOutdatedError(`no stored file ${key}`);
  return stored.bytes;
}
