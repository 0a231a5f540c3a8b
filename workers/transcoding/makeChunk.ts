import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { chunkAt, type Chunk } from '../../shared/media/grid.js';
import { secondsOfFrames } from '../../shared/media/frameRate.js';
import { completeChunk, type ChunkWork } from '../../shared/content/chunk.lifecycle.js';
import type { ChunkResult, ChunkRendition } from '../../shared/content/chunkResult.js';
import { encodedRenditions, type ContentPlan } from '../../shared/content/plan.js';
import { audioTrackOfName } from '../../shared/content/audioTracks.js';
import { knownInits } from '../../shared/content/rendition.service.js';
import { assembleContent, type ChunkPayload } from '../../shared/content/content.jobs.js';
import { attemptFolder, generationFolder, previewFolder } from '../../shared/content/storageKeys.js';
import type { WorkerContext } from '../runtime/workerContext.js';
import { chunkCommand, MediaError } from '../media/index.js';
import { LeaseLostError } from '../../shared/platform/lease/index.js';
import { observeSpeed } from './mediaMetrics.js';
import { allAtOnce } from '../runtime/allAtOnce.js';
import { countedAttempts } from '../runtime/attempts.js';
import { withTemporaryFolder } from '../runtime/temporaryFolders.js';
import { cutPreviewTail } from './cutPreviewTail.js';
import { collectSegments, type RenditionOutput } from './collectSegments.js';
import type { Destination } from './destination.js';
import { takeCopiedRendition } from './takeCopiedRendition.js';
import { storeAudioInits, storeAudioSegments } from './storeAudioSegments.js';
import { storeInits } from './storeInits.js';
import { createUploads } from '../runtime/uploads.js';

export interface ChunkJob {
  readonly ctx: WorkerContext;
  readonly payload: ChunkPayload;
  readonly owner: string;
  readonly work: ChunkWork;
  readonly signal: AbortSignal;
}

/** Encodes a chunk, with temporary files in a folder, and stores its checked segments. */
export type ChunkEncoder = (
  job: ChunkJob,
  folder: string,
  to: Destination,
  onProgress: (share: number) => void,
) => Promise<ChunkResult>;

/** Encodes, checks and stores one chunk, and completes it. A failed attempt removes its stored files. */
export async function makeChunk(
  job: ChunkJob,
  onProgress: (share: number) => void,
  encoder: ChunkEncoder,
): Promise<unknown> {
  const { ctx, payload, work } = job;
  const { generation } = payload;
  const to: Destination = {
    generation: generationFolder(work.content, generation),
    preview: previewFolder(work.content, generation),
    attempt: attemptFolder(payload.chunk, work.attempt),
  };
  try {
    const result = await withTemporaryFolder(ctx.config, (folder) => encoder(job, folder, to, onProgress));
    return await commit(job, to, result);
  } catch (error) {
    await ctx.storage.removeAll(`${to.generation}/${to.attempt}`).catch(() => {});
    await ctx.storage.removeAll(`${to.preview}/${to.attempt}`).catch(() => {});
    throw error;
  }
}

type Stored = Readonly<Record<string, ChunkRendition>>;

/** The default encoder: one ffmpeg process encodes a chunk in every rendition. */
export async function encodeChunk(
  job: ChunkJob,
  folder: string,
  to: Destination,
  onProgress: (share: number) => void,
): Promise<ChunkResult> {
  const { ctx, payload, work, signal } = job;
  const plan = { ...work.plan, renditions: encodedRenditions(work.plan) };
  const chunk = chunkAt(plan, payload.chunk);
  const startedAt = performance.now();
  const uploads = createUploads(ctx, signal);
  const collector = collectSegments({ folder, plan, chunk, to, uploads });
  try {
    const [audio, copied] = await allAtOnce<[Stored, Stored, void]>(signal, (ended) => [
      storeAudioSegments({ ctx, plan, chunk, to, uploads, signal: ended }),
      takeCopiedRendition({ ctx, plan, chunk, to, signal: ended }),
      runEncoder({ ...job, signal: ended }, folder, { plan, chunk }, onProgress),
    ]);
    const outputs = await collector.finish();
    const tails = await cutPreviewTail({ folder, plan, chunk, to, uploads });
    const inits = await storeInits(ctx, payload, to, outputs, uploads);
    storeAudioInits({ plan, chunk, to, uploads });
    await uploads.done();
    observeSpeed(
      ctx.metrics,
      secondsOfFrames(chunk.frameCount, plan.frameRate),
      (performance.now() - startedAt) / 1000,
    );
    return { renditions: { ...renditionsOf(outputs, inits, tails), ...copied, ...audio } };
  } finally {
    await collector.stop();
    await uploads.ended();
  }
}

async function runEncoder(
  job: ChunkJob,
  folder: string,
  { plan, chunk }: { readonly plan: ContentPlan; readonly chunk: Chunk },
  onProgress: (share: number) => void,
): Promise<void> {
  const { ctx, work, signal } = job;
  const { runner, sources } = ctx.media;
  for (const rendition of plan.renditions) await mkdir(join(folder, rendition.name));
  const { worker, media } = ctx.config;
  // Does not seek in the source after a failure, or after two attempts that never ended.
  const isRetry = work.failures > 0 || countedAttempts(work) > 2;
  const { mediaThreads: threads } = worker;
  const settings = { preset: media.encoderPreset, threads, maxPixels: media.maxPixels, isRetry };
  await sources.use(plan.source.key, signal, (sourcePath) =>
    runner.convert(chunkCommand({ folder, plan, chunk, sourcePath, settings }), {
      signal,
      onProgress: ({ frames }) => onProgress(Math.min(0.99, frames / chunk.frameCount)),
    }),
  );
}

function renditionsOf(
  outputs: readonly RenditionOutput[],
  inits: ReadonlyMap<string, Pick<ChunkRendition, 'initKey' | 'initBytes' | 'codecs'>>,
  tails: ReadonlyMap<string, NonNullable<ChunkRendition['tail']>>,
): Record<string, ChunkRendition> {
  const renditions: Record<string, ChunkRendition> = {};
  for (const { rendition, bytes } of outputs) {
    const init = inits.get(rendition);
    const tail = tails.get(rendition);
    if (init) renditions[rendition] = { bytes, ...init, ...(tail ? { tail } : {}) };
  }
  return renditions;
}

async function commit({ ctx, payload, owner }: ChunkJob, to: Destination, result: ChunkResult): Promise<unknown> {
  const { contentId, generation } = payload;
  await ctx.db.transaction(async (tx) => {
    const completed = await completeChunk(ctx, tx, payload, owner, { folder: to.attempt, result });
    if (!completed) throw new LeaseLostError('the lease was lost before the result was written');
    const inits = await knownInits(ctx, payload, tx);
    const other = Object.entries(result.renditions).find(
      ([rendition, { initKey }]) => !audioTrackOfName(rendition) && inits.get(rendition) !== initKey,
    );
    if (other) throw new MediaError(`${other[0]}: ${other[1].initKey} does not continue ${inits.get(other[0])}`);
    await ctx.outbox.add(tx, assembleContent, { contentId, generation });
  });
  return { folder: to.attempt };
}
