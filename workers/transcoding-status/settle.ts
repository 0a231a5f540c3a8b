import { chunksOf, type ChunkRow } from '../../shared/content/chunks.js';
import { cleanContent, type GenerationPayload } from '../../shared/content/content.jobs.js';
import { Content } from '../../shared/content/content.model.js';
import { generationFolder, masterName } from '../../shared/content/layout.js';
import { reopenChunks } from '../../shared/content/chunks.js';
import { processing } from '../../shared/content/making.js';
import { masterPlaylist, mediaPlaylist, type PlaylistRendition } from '../../shared/content/playlists.js';
import type { ContentPlan, FrameRate } from '../../shared/content/plan.js';
import { progressOf } from '../../shared/content/progress.js';
import { recordStoredBytes } from '../../shared/license/usage.service.js';
import type { Context } from '../../shared/platform/context.js';
import { failContent, notifyOwner } from '../media/failure.js';
import { removeLeftovers } from '../media/leftovers.js';
import { PermanentJobError, type ExhaustedRun, type JobRun } from '../runtime/jobTypes.js';
import { assemble, type Assembly } from './assemble.js';

const playlistType = 'application/vnd.apple.mpegurl';

/** Looks at the rows of a generation; when its last chunk is done, makes it the one that plays: once (principle 6 of docs/architecture.md). */
export async function settle(run: JobRun<GenerationPayload>): Promise<unknown> {
  const { ctx, payload } = run;
  const content = await ctx.db.model(Content).findByPk(payload.contentId);
  const chunks = await chunksOf(ctx, payload.contentId, payload.generation);
  if (!content?.plan || content.generation !== payload.generation || chunks.length === 0)
    return { skipped: 'nothing to settle' };
  if (!isProcessing(content)) return { skipped: 'settled already' };
  const open = chunks.filter(({ state }) => state !== 'DONE').length;
  await run.reportProgress((await progressOf(ctx, [content.id])).get(content.id) ?? 0);
  if (open > 0) return { open };
  const assembly = assembled(content.plan, chunks);
  const lost = await lostChunks(ctx, content, assembly, chunks);
  if (lost.length > 0) {
    await reopenChunks(ctx, payload.contentId, payload.generation, lost);
    run.log.error({ contentId: content.id, lost }, 'stored segments are missing: their chunks are made again');
    return { lost };
  }
  const playlists = await writePlaylists(ctx, content, content.plan, assembly);
  const bytes = [...assembly.files.values()].reduce((sum, size) => sum + size, playlists);
  if (await makeReady(ctx, content, payload.generation, bytes)) return { ready: true, bytes };
  await removeLeftovers(ctx, content);
  return { skipped: 'settled already' };
}

function isProcessing({ generation, readyGeneration, failedGeneration }: Content): boolean {
  return (generation ?? 1) > Math.max(readyGeneration ?? 0, failedGeneration ?? 0);
}

/** Results that do not make up the plan will not do so at a further attempt either. */
function assembled(plan: ContentPlan, chunks: readonly ChunkRow[]): Assembly {
  try {
    return assemble(plan, chunks);
  } catch (error) {
    throw new PermanentJobError((error as Error).message, { cause: error });
  }
}

/** Chunks of which the store does not hold every file in its right size. */
async function lostChunks(
  ctx: Context,
  content: Content,
  { files }: Assembly,
  chunks: readonly ChunkRow[],
): Promise<number[]> {
  const folder = generationFolder(content.id, content.generation ?? 1);
  const stored = new Map<string, number>();
  for await (const { key, bytes } of ctx.storage.list(folder)) stored.set(key.slice(folder.length + 1), bytes);
  const missing = [...files].filter(([path, bytes]) => stored.get(path) !== bytes).map(([path]) => path);
  const shared = missing.some((path) => /^(preview\/)?init\//.test(path));
  return chunks
    .filter(({ folder: own }) => shared || missing.some((path) => path.split('/').includes(own ?? '')))
    .map(({ position }) => position);
}

/** Resolves with the bytes written. Writing them again changes nothing: they follow from the rows. */
async function writePlaylists(ctx: Context, content: Content, plan: ContentPlan, assembly: Assembly): Promise<number> {
  const folder = generationFolder(content.id, content.generation ?? 1);
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
  const written = await Promise.all(
    renditions.map((rendition) => write(`${rendition.name}.m3u8`, mediaPlaylist(rendition.segments))),
  );
  written.push(await write(masterName, masterPlaylist(renditions, frameRate)));
  return written.reduce((sum, bytes) => sum + bytes, 0);
}

/** The flip. Everything that follows from it is in its transaction. */
async function makeReady(ctx: Context, content: Content, generation: number, bytes: number): Promise<boolean> {
  return ctx.db.transaction(async (tx) => {
    const now = ctx.clock.now();
    const changed = await ctx.db.change(
      `UPDATE contents
          SET state = 'READY', ready_generation = $generation, rendition_bytes = $bytes, failure_key = NULL, failure_detail = NULL,
              ready_at = coalesce(ready_at, $now), updated_at = $now
        WHERE id = $contentId AND generation = $generation AND ${processing}`,
      { contentId: content.id, generation, bytes, now },
      tx,
    );
    if (changed === 0) return false;
    await ctx.db.change(
      `UPDATE renditions r
          SET bytes = (SELECT coalesce(sum(size::bigint), 0) FROM chunks k, jsonb_array_elements_text(k.result -> 'renditions' -> r.rung -> 'bytes') AS size
                        WHERE k.content_id = r.content_id AND k.generation = r.generation)
        WHERE r.content_id = $contentId AND r.generation = $generation`,
      { contentId: content.id, generation },
      tx,
    );
    await recordStoredBytes(ctx, tx, content.ownerId, 'renditions', bytes - (content.renditionBytes ?? 0));
    await ctx.search.markDirty(tx, 'content', content.id);
    await notifyOwner(ctx, tx, content, 'contentReady');
    await ctx.outbox.add(tx, cleanContent, { contentId: content.id });
    return true;
  });
}

/** What the chunks have made cannot be put together. Any other trouble passes: a sweep asks again. */
export async function settleExhausted({ ctx, payload, error }: ExhaustedRun<GenerationPayload>): Promise<void> {
  if (!(error instanceof PermanentJobError)) return;
  await failContent(ctx, payload.contentId, payload.generation, {
    key: 'content.failure.internal',
    detail: error.message,
  });
}
