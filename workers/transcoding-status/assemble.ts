import { reopenChunks } from '../../shared/content/chunk.lifecycle.js';
import type { ChunkRecord } from '../../shared/content/chunk.model.js';
import type { GenerationPayload } from '../../shared/content/content.jobs.js';
import { completeGeneration } from '../../shared/content/content.lifecycle.js';
import type { Content } from '../../shared/content/content.model.js';
import { chunksOf, findContent } from '../../shared/content/content.queries.js';
import type { ContentPlan, FrameRate } from '../../shared/content/plan.js';
import { masterPlaylist, mediaPlaylist, type PlaylistRendition } from '../../shared/content/playlists.js';
import { isProcessing } from '../../shared/content/processing.js';
import { progressOf } from '../../shared/content/progress.queries.js';
import { generationFolder, masterName } from '../../shared/content/storageKeys.js';
import { notifyContentOwner } from '../../shared/box/contentNotice.service.js';
import { recordStoredBytes } from '../../shared/license/usage.service.js';
import type { Context } from '../../shared/platform/context.js';
import { failContent } from '../media/failContent.js';
import { removeLeftovers } from '../media/leftovers.js';
import { PermanentJobError, type ExhaustedRun, type JobRun } from '../runtime/jobTypes.js';
import { buildAssembly, type Assembly } from './assembly.js';

const playlistType = 'application/vnd.apple.mpegurl';

/**
 * `content.status`: when the last chunk of a generation is done, verifies its files, writes its playlists and makes it the
 * generation that plays. Idempotent.
 */
export async function assemble(run: JobRun<GenerationPayload>): Promise<unknown> {
  const { ctx, payload } = run;
  const content = await findContent(ctx, payload.contentId);
  const chunks = await chunksOf(ctx, payload.contentId, payload.generation);
  if (!content?.plan || content.generation !== payload.generation || chunks.length === 0)
    return { skipped: 'nothing to assemble' };
  if (!isProcessing(content)) return { skipped: 'no longer processed' };
  const open = chunks.filter(({ state }) => state !== 'DONE').length;
  await run.reportProgress((await progressOf(ctx, [content.id])).get(content.id) ?? 0);
  if (open > 0) return { open };
  const assembly = assemblyOf(content.plan, chunks);
  const lost = await lostChunks(ctx, content, assembly, chunks);
  if (lost.length > 0) {
    await reopenChunks(ctx, payload, lost);
    run.log.error({ contentId: content.id, lost }, 'stored segments missing, chunks queued again');
    return { lost };
  }
  const playlistBytes = await writePlaylists(ctx, content, content.plan, assembly);
  const bytes = [...assembly.files.values()].reduce((sum, size) => sum + size, playlistBytes);
  if (await makeReady(ctx, content, payload, bytes)) return { ready: true, bytes };
  await removeLeftovers(ctx, content);
  return { skipped: 'no longer processed' };
}

/** Throws PermanentJobError where the chunks do not match the plan: a further attempt would find the same. */
function assemblyOf(plan: ContentPlan, chunks: readonly ChunkRecord[]): Assembly {
  try {
    return buildAssembly(plan, chunks);
  } catch (error) {
    throw new PermanentJobError((error as Error).message, { cause: error });
  }
}

/** Positions of chunks with a stored file that is missing or has another size. */
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

/** Resolves with the bytes written. Idempotent: the playlists are derived from the rows. */
async function writePlaylists(ctx: Context, content: Content, plan: ContentPlan, assembly: Assembly): Promise<number> {
  const folder = generationFolder(content, content.generation);
  const main = await writeSet(ctx, folder, assembly.renditions, plan.frameRate);
  return main + (await writeSet(ctx, `${folder}/preview`, assembly.preview, plan.frameRate));
}

async function writeSet(
  ctx: Context,
  folder: string,
  renditions: readonly PlaylistRendition[],
  frameRate: FrameRate,
): Promise<number> {
  const write = async (name: string, text: string): Promise<number> => {
    const { bytes } = await ctx.storage.put(`${folder}/${name}`, Buffer.from(text), { contentType: playlistType });
    return bytes;
  };
  const sizes = await Promise.all(
    renditions.map((rendition) => write(`${rendition.name}.m3u8`, mediaPlaylist(rendition.segments))),
  );
  sizes.push(await write(masterName, masterPlaylist(renditions, frameRate)));
  return sizes.reduce((sum, bytes) => sum + bytes, 0);
}

/** READY, with the quota and the mail that follow from it, in one transaction. */
async function makeReady(ctx: Context, content: Content, payload: GenerationPayload, bytes: number): Promise<boolean> {
  return ctx.db.transaction(async (tx) => {
    if (!(await completeGeneration(ctx, tx, payload, bytes))) return false;
    await recordStoredBytes(ctx, tx, content.ownerId, 'renditions', bytes - content.renditionBytes);
    await notifyContentOwner(ctx, tx, content, 'contentReady');
    return true;
  });
}

/** Fails the content where its chunks do not match the plan. After any other error the sweep queues the job again. */
export async function assembleExhausted({ ctx, payload, error }: ExhaustedRun<GenerationPayload>): Promise<void> {
  if (!(error instanceof PermanentJobError)) return;
  await failContent(ctx, payload, { key: 'content.failure.internal', detail: error.message });
}
