import { reopenChunks } from '../../shared/content/chunk.lifecycle.js';
import type { ChunkRecord } from '../../shared/content/chunk.model.js';
import type { GenerationPayload } from '../../shared/content/content.jobs.js';
import { completeGeneration, offerGrowingPlaylist } from '../../shared/content/generation.lifecycle.js';
import type { Content } from '../../shared/content/content.model.js';
import { chunksOf, findContent } from '../../shared/content/content.queries.js';
import { contentSegmentSeconds } from '../../shared/media/segmentSeconds.js';
import { isMuxedPlan, type ContentPlan } from '../../shared/content/plan.js';
import type { PlaylistOptions } from '../../shared/content/playlists.js';
import { isProcessing } from '../../shared/content/processing.js';
import { newestPercent } from '../../shared/content/progress.queries.js';
import { generationFolder } from '../../shared/content/storageKeys.js';
import { notifyContentOwner } from '../../shared/box/contentNotice.service.js';
import { recordStoredBytes } from '../../shared/license/usage.service.js';
import type { Context } from '../../shared/platform/context.js';
import { failEncoding } from '../content/failContent.js';
import { muxedPlan, planAgain } from '../content/planAgain.js';
import { removeLeftovers } from '../content/leftovers.js';
import { writePlaylists } from '../content/writePlaylists.js';
import { PermanentJobError, type ExhaustedRun, type JobRun } from '../runtime/jobTypes.js';
import { buildAssembly, buildBeginning, type Assembly } from './assembly.js';

const growing: PlaylistOptions = { state: 'growing', targetSeconds: contentSegmentSeconds };

/**
 * `content.status`: when the last chunk of a generation is done, verifies the files of the generation, writes its playlists and
 * makes it the generation that plays. Idempotent.
 */
export async function assembleContentHandler(run: JobRun<GenerationPayload>): Promise<unknown> {
  const { ctx, payload } = run;
  const content = await findContent(ctx, payload.contentId);
  const chunks = await chunksOf(ctx, payload.contentId, payload.generation);
  if (!content?.plan || content.generation !== payload.generation || chunks.length === 0)
    return { skipped: 'nothing to assemble' };
  if (!isProcessing(content)) return { skipped: 'no longer processed' };
  if (isMuxedPlan(content.plan)) return planAgain(run, content, muxedPlan);
  const open = chunks.filter(({ state }) => state !== 'DONE').length;
  run.reportProgress(await newestPercent(ctx, content.id));
  if (open > 0) {
    if (content.quick) await showFirstChunks(ctx, content, content.plan, chunks);
    return { open };
  }
  const assembly = assemblyOf(content.plan, chunks);
  const lost = await lostChunks(ctx, content, assembly, chunks);
  if (lost.length > 0) {
    await reopenChunks(ctx, payload, lost);
    run.log.error({ contentId: content.id, lost }, 'stored segments missing, chunks queued again');
    return { lost };
  }
  const playlistBytes = await writeAll(ctx, content, assembly);
  const bytes = [...assembly.files.values()].reduce((sum, size) => sum + size, playlistBytes);
  if (await makeReady(ctx, content, payload, bytes)) return { ready: true, bytes };
  await removeLeftovers(ctx, content);
  return { skipped: 'no longer processed' };
}

/** Throws PermanentJobError if the chunks do not match the plan, because a further attempt would fail in the same way. */
function assemblyOf(plan: ContentPlan, chunks: readonly ChunkRecord[]): Assembly {
  try {
    return buildAssembly(plan, chunks);
  } catch (error) {
    throw new PermanentJobError((error as Error).message, { cause: error });
  }
}

/** Positions of the chunks of which a stored file is missing or has another size. */
async function lostChunks(
  ctx: Context,
  content: Content,
  { files }: Assembly,
  chunks: readonly ChunkRecord[],
): Promise<number[]> {
  const folder = generationFolder(content, content.generation);
  const stored = new Map<string, number>();
  for await (const { key, bytes } of ctx.storage.list(folder)) stored.set(key.slice(folder.length + 1), bytes);
  const missing = [...files].filter(([path, bytes]) => stored.get(path) !== bytes).map(([path]) => path);
  const shared = missing.some((path) => /^(preview\/)?init\//.test(path));
  return chunks
    .filter(({ folder: own }) => shared || missing.some((path) => path.split('/').includes(own ?? '')))
    .map(({ position }) => position);
}

/** Lists the consecutive first chunks of a quick generation, so that the owner can watch them. */
async function showFirstChunks(
  ctx: Context,
  content: Content,
  plan: ContentPlan,
  chunks: readonly ChunkRecord[],
): Promise<void> {
  const missing = chunks.findIndex(({ state }) => state !== 'DONE');
  if (missing < 1) return;
  const folder = generationFolder(content, content.generation);
  await writePlaylists(ctx, { folder, ...buildBeginning(plan, chunks.slice(0, missing)) }, growing);
  await offerGrowingPlaylist(ctx, { contentId: content.id, generation: content.generation }, plan.durationMs);
}

/** Resolves with the bytes written. */
async function writeAll(ctx: Context, content: Content, { complete, preview }: Assembly): Promise<number> {
  const folder = generationFolder(content, content.generation);
  const grown = content.growing
    ? await writePlaylists(ctx, { folder, ...complete }, { ...growing, state: 'grown' })
    : 0;
  const main = await writePlaylists(ctx, { folder, ...complete });
  return grown + main + (await writePlaylists(ctx, { folder: `${folder}/preview`, ...preview }));
}

/** Makes the content READY, and updates quota and mail, in one transaction. */
async function makeReady(ctx: Context, content: Content, payload: GenerationPayload, bytes: number): Promise<boolean> {
  return ctx.db.transaction(async (tx) => {
    if (!(await completeGeneration(ctx, tx, payload, bytes))) return false;
    await recordStoredBytes(ctx, tx, content.ownerId, 'renditions', bytes - content.renditionBytes);
    // If the content was READY already, its owner has received the mail.
    if (content.readyGeneration === null) await notifyContentOwner(ctx, tx, content, 'contentReady');
    return true;
  });
}

/** Fails the content if its chunks do not match the plan. After any other error, the sweep queues the job again. */
export async function assembleExhausted({ ctx, payload, error }: ExhaustedRun<GenerationPayload>): Promise<void> {
  if (!(error instanceof PermanentJobError)) return;
  await failEncoding(ctx, payload, { key: 'content.failure.internal', detail: error.message });
}
