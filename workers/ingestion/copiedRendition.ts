import pLimit from 'p-limit';
import { fragmentsIn, codecsOf, DamagedMediaError, type TrackFragment } from '../../shared/media/mp4/index.js';
import { chunkAt, type Grid } from '../../shared/media/grid.js';
import type { Content } from '../../shared/content/content.model.js';
import { chunksOf } from '../../shared/content/content.queries.js';
import type { ChunkRendition } from '../../shared/content/chunkResult.js';
import type { PlannedCopy, PlannedRendition } from '../../shared/content/plan.js';
import { renditionSizes, type StoredRenditionSize } from '../../shared/content/rendition.service.js';
import { generationFolder, initName, previewFolder, segmentName, tailName } from '../../shared/content/storageKeys.js';
import { storedBoxes, storedFile, storedFragment, storedInitialisation } from '../../shared/content/storedMedia.js';
import { NotFoundError } from '../../shared/platform/errors.js';
import { MediaError } from '../media/index.js';
import type { WorkerContext } from '../runtime/workerContext.js';
import { createSegmentCheck } from '../content/encodedSegmentCheck.js';

/** Maximum bit rate of a copied source, relative to the encoded rendition: more storage and traffic outweigh the saved encoding. */
const maxShareOfRate = 1.15;
const readsAtOnce = 16;

/** A plan that has no copied rendition yet. */
interface Planned extends Grid {
  readonly ladder: readonly PlannedRendition[];
}

/** The rendition of the quick generation that plays. */
interface PlayingQuick {
  readonly size: StoredRenditionSize;
  /** Storage key of the folder of the generation. */
  readonly folder: string;
  /** In order; each has the rendition. */
  readonly chunks: readonly { readonly folder: string; readonly stored: ChunkRendition }[];
}

/**
 * The rendition that the full generation copies from the quick generation instead of encoding it: the rendition that was encoded
 * with the same plan, or the highest one if the source was copied with exactly the segments of the grid. Null if all are encoded.
 */
export async function copiedRendition(
  ctx: WorkerContext,
  content: Content,
  planned: Planned,
  signal: AbortSignal,
): Promise<PlannedCopy | null> {
  if (planned.ladder.length < 2 || content.recorded) return null;
  const quick = await playingQuick(ctx, content);
  if (!quick) return null;
  return content.readyAttempt === null ? encodedCopy(content, planned, quick) : sourceCopy(ctx, planned, quick, signal);
}

/** Null if no generation plays yet. */
export async function playingQuick(ctx: WorkerContext, content: Content): Promise<PlayingQuick | null> {
  const { id: contentId, readyGeneration: generation } = content;
  if (generation === null) return null;
  const [size] = await renditionSizes(ctx, { contentId, generation });
  const chunks = (await chunksOf(ctx, contentId, generation)).flatMap(({ folder, result }) => {
    const stored = size && result?.renditions[size.name];
    return folder !== null && stored ? [{ folder, stored }] : [];
  });
  return size && chunks.length > 0 ? { size, folder: generationFolder(content, generation), chunks } : null;
}

/** An encoded quick generation has the same grid (`MeasuredSource`), so its rendition can be copied if the ladder has it. */
function encodedCopy(content: Content, { ladder, segmentCount }: Planned, quick: PlayingQuick): PlannedCopy | null {
  const { size, folder, chunks } = quick;
  const [first] = chunks;
  const isOfPlan = content.measured !== null && ladder.some(({ name }) => name === size.name);
  let segments = 0;
  const folders = chunks.map((chunk) => {
    const firstSegment = segments;
    segments += chunk.stored.bytes.length;
    return { key: `${folder}/${chunk.folder}/${size.name}`, firstSegment };
  });
  if (!isOfPlan || !first || segments !== segmentCount) return null;
  const { initKey, initBytes, codecs } = first.stored;
  const end = chunks.find(({ stored }) => stored.tail !== undefined);
  const previewed = `${previewFolder(content, content.readyGeneration ?? 0)}/${end?.folder}/${size.name}/${tailName}`;
  return {
    ...{ name: size.name, videoBits: size.videoBits, folders },
    ...{ initKey: `${folder}/${initKey}`, initName: initKey, initBytes, codecs },
    tail: end?.stored.tail ? { key: previewed, bytes: end.stored.tail.bytes } : null,
  };
}

/**
 * A copied source replaces the highest rendition if it has the same size, at most `maxShareOfRate` of its bits, and exactly the
 * segments and frames of the grid.
 */
async function sourceCopy(
  ctx: WorkerContext,
  { ladder, ...grid }: Planned,
  { size, folder, chunks }: PlayingQuick,
  signal: AbortSignal,
): Promise<PlannedCopy | null> {
  const [chunk] = chunks;
  const top = ladder.at(-1);
  if (!chunk || !top || size.width !== top.width || size.height !== top.height) return null;
  const { bytes, initKey } = chunk.stored;
  if (size.videoBits > top.videoBits * maxShareOfRate || bytes.length !== grid.segmentCount) return null;
  const map = await storedFile(ctx, `${folder}/${initKey}`);
  const init = await storedInitialisation(ctx, map);
  const segmentsKey = `${folder}/${chunk.folder}/${size.name}`;
  const key = (segment: number): string => `${segmentsKey}/${segmentName(segment)}`;
  if (!(await isOnGrid(ctx, { grid, name: size.name, init, key }, signal))) return null;
  return {
    ...{ name: top.name, videoBits: size.videoBits, folders: [{ key: segmentsKey, firstSegment: 0 }] },
    ...{ initKey: map.key, initName: initName(top.name, init), initBytes: init.length, codecs: codecsOf(init) },
    tail: null,
  };
}

/** Whether the stored segments match a grid: each frame exactly once, at its time. */
async function isOnGrid(
  ctx: WorkerContext,
  { grid, name, init, key }: { grid: Grid; name: string; init: Buffer; key: (segment: number) => string },
  signal: AbortSignal,
): Promise<boolean> {
  const limit = pLimit(readsAtOnce);
  const oneChunk = { ...chunkAt(grid, 0), segmentCount: grid.segmentCount, frameCount: grid.frameCount };
  const check = createSegmentCheck(grid, oneChunk, name, init);
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
