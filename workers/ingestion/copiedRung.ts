import pLimit from 'p-limit';
import { fragmentsIn, type TrackFragment } from '../../shared/media/mp4/fragments.js';
import { codecsOf } from '../../shared/media/mp4/initialisation.js';
import { DamagedMediaError } from '../../shared/media/mp4/isoBox.js';
import { chunkAt, type Grid } from '../../shared/media/grid.js';
import type { Content } from '../../shared/content/content.model.js';
import { chunksOf } from '../../shared/content/content.queries.js';
import type { PlannedCopy, PlannedRendition } from '../../shared/content/plan.js';
import { renditionSizes } from '../../shared/content/rendition.service.js';
import { copiedFolder, generationFolder, initName, segmentName } from '../../shared/content/storageKeys.js';
import { storedBoxes, storedFile, storedFragment, storedInitialisation } from '../../shared/content/storedMedia.js';
import { NotFoundError } from '../../shared/platform/errors.js';
import { MediaError } from '../media/runner.js';
import type { WorkerContext } from '../runtime/workerContext.js';
import { createSegmentCheck } from '../content/segmentCheck.js';

/** More bits than the encoder would use are not worth what they save. */
const mostShareOfRate = 1.15;
const readsAtOnce = 16;

/** A plan that has no copied rendition yet. */
interface Planned extends Grid {
  readonly ladder: readonly PlannedRendition[];
}

/**
 * The highest rendition of a full generation, where the quick generation that plays has copied it already: of the same size, with no
 * more bits than its step of the ladder, and with exactly the segments and frames of the grid. Null: it is encoded.
 */
export async function copiedRung(
  ctx: WorkerContext,
  content: Content,
  { ladder, ...grid }: Planned,
  signal: AbortSignal,
): Promise<PlannedCopy | null> {
  const { id: contentId, readyGeneration: generation, readyAttempt, recorded } = content;
  const top = ladder.at(-1);
  if (generation === null || readyAttempt === null || recorded || !top || ladder.length < 2) return null;
  const [copied] = await renditionSizes(ctx, { contentId, generation });
  const [chunk] = await chunksOf(ctx, contentId, generation);
  const stored = copied && chunk?.result?.renditions[copied.name];
  if (!stored || chunk.folder !== copiedFolder(0, readyAttempt)) return null;
  if (copied.width !== top.width || copied.height !== top.height) return null;
  if (copied.videoBits > top.videoBits * mostShareOfRate || stored.bytes.length !== grid.segmentCount) return null;
  const folder = generationFolder(content, generation);
  const map = await storedFile(ctx, `${folder}/${stored.initKey}`);
  const init = await storedInitialisation(ctx, map);
  const key = (segment: number): string => `${folder}/${chunk.folder}/${copied.name}/${segmentName(segment)}`;
  if (!(await isOnGrid(ctx, { grid, name: copied.name, init, key }, signal))) return null;
  return {
    ...{ name: top.name, videoBits: copied.videoBits, segmentsKey: `${folder}/${chunk.folder}/${copied.name}` },
    ...{ initKey: map.key, initName: initName(top.name, init), initBytes: init.length, codecs: codecsOf(init) },
  };
}

/** Whether stored segments are those of a grid: every frame, once, at its time. */
async function isOnGrid(
  ctx: WorkerContext,
  { grid, name, init, key }: { grid: Grid; name: string; init: Buffer; key: (segment: number) => string },
  signal: AbortSignal,
): Promise<boolean> {
  const limit = pLimit(readsAtOnce);
  const whole = { ...chunkAt(grid, 0), segmentCount: grid.segmentCount, frameCount: grid.frameCount };
  const check = createSegmentCheck(grid, whole, name, init);
  const checked = Array.from({ length: grid.segmentCount }, (_, segment) =>
    limit(async () => {
      signal.throwIfAborted();
      check.segment(segment, await storedFragments(ctx, key(segment)));
    }),
  );
  try {
    await Promise.all(checked);
    return true;
  } catch (error) {
    limit.clearQueue();
    await Promise.allSettled(checked);
    const isOther = [MediaError, DamagedMediaError, NotFoundError].some((fault) => error instanceof fault);
    if (!isOther) throw error;
    ctx.log.debug({ detail: (error as Error).message }, 'the copy is not on the grid');
    return false;
  }
}

async function storedFragments(ctx: WorkerContext, key: string): Promise<TrackFragment[]> {
  const fragments: TrackFragment[] = [];
  for await (const box of storedBoxes(ctx, await storedFile(ctx, key)))
    if (box.type === 'moof') fragments.push(...fragmentsIn(await storedFragment(ctx, key, box)));
  return fragments;
}
