import type { Context } from '../platform/context.js';
import type { Transaction } from '../platform/database/database.js';
import { ChunkRecord } from './chunk.model.js';
import { Content } from './content.model.js';
import { isProcessing, processing } from './processing.js';
import { replacedGenerations } from './replacedGeneration.service.js';
import type { RetainedFiles, RetainedGeneration } from './retainedFiles.js';
import type { RetainedGenerations } from './retainedGenerations.js';

/** Null if there is no such content. */
export async function findContent(ctx: Context, contentId: string): Promise<Content | null> {
  return ctx.db.model(Content).findByPk(contentId);
}

const trackedColumns = [
  'readyAttempt',
  'id',
  'folder',
  'state',
  'durationMs',
  'storyboard',
  'chapters',
  'audioTracks',
] as const;

/** The columns that are needed to write the storyboard and chapter tracks of a content. */
export type TrackedContent = Pick<Content, (typeof trackedColumns)[number]>;

/** Null if there is no such content. */
export async function contentTracks(ctx: Context, contentId: string): Promise<TrackedContent | null> {
  return ctx.db.model(Content).findByPk(contentId, { attributes: [...trackedColumns] });
}

/** The chunks of a generation, in order. */
export async function chunksOf(
  ctx: Context,
  contentId: string,
  generation: number,
  tx?: Transaction,
): Promise<ChunkRecord[]> {
  return ctx.db.model(ChunkRecord).findAll({
    where: { contentId, generation },
    order: [['position', 'ASC']],
    transaction: tx,
  });
}

/**
 * The files of a content that are needed now. Null if the content does not exist, or is DELETED and has no retained
 * generation.
 */
export async function retainedFilesOf(
  ctx: Context,
  contentId: string,
  retainedGenerations: RetainedGenerations,
): Promise<RetainedFiles | null> {
  const content = await findContent(ctx, contentId);
  if (!content) return null;
  const { generation, readyGeneration, state } = content;
  const isDeleted = state === 'DELETED';
  const retained = await retainedGenerations(ctx, contentId);
  if (isDeleted && retained.length === 0) return null;
  const watched = isDeleted ? [] : await replacedGenerations(ctx, contentId);
  const ready = isDeleted || readyGeneration === null ? [] : [readyGeneration];
  const playing = new Set([...ready, ...watched, ...retained]);
  return {
    content: { id: contentId, folder: content.folder },
    newest: generation,
    storyboard: isDeleted ? undefined : (content.storyboard?.folder ?? null),
    processing: isProcessing(content) ? generation : null,
    playing: await Promise.all([...playing].map((one) => filesOfGeneration(ctx, contentId, one))),
  };
}

async function filesOfGeneration(ctx: Context, contentId: string, generation: number): Promise<RetainedGeneration> {
  const chunks = await chunksOf(ctx, contentId, generation);
  const inits = chunks.flatMap(({ result }) => Object.values(result?.renditions ?? {}).map(({ initKey }) => initKey));
  return { generation, folders: chunks.flatMap(({ folder }) => folder ?? []), inits: [...new Set(inits)] };
}

/** Number of waiting or running chunks of an owner. A content without a plan counts as one. */
export async function waitingWorkOf(ctx: Context, ownerId: string): Promise<number> {
  const [row] = await ctx.db.rows<{ waiting: number }>(
    `SELECT coalesce(sum(greatest(1, (SELECT count(*) FROM chunks k
              WHERE k.content_id = c.id AND k.generation = c.generation AND k.state <> 'DONE'))), 0)::int AS waiting
       FROM contents c WHERE c.owner_id = $ownerId AND ${processing('c')}`,
    { ownerId },
  );
  return row?.waiting ?? 0;
}

/**
 * Arrival state of a content's source. Null: the content is removed, or not PENDING. `bytes` is an upper bound until it is
 * complete.
 */
export async function arrivalOf(
  ctx: Context,
  contentId: string,
): Promise<{ readonly isWhole: boolean; readonly bytes: number } | null> {
  const content = await ctx.db.model(Content).findByPk(contentId, { attributes: ['arrival', 'state', 'sourceBytes'] });
  if (content?.state !== 'PENDING') return null;
  return { isWhole: content.arrival === null, bytes: content.sourceBytes };
}

/** Filters storage keys: returns the keys of content sources. */
export async function knownSources(ctx: Context, keys: readonly string[]): Promise<ReadonlySet<string>> {
  const rows = await ctx.db.model(Content).findAll({ where: { sourceKey: keys }, attributes: ['sourceKey'] });
  return new Set(rows.map(({ sourceKey }) => sourceKey));
}

/** The folder of a deleted content. */
export interface DeletedFolder {
  readonly folder: string | null;
  /** Cursor for the next page. */
  readonly position: string;
}

/** The folders of contents that were deleted before `before`, in order of deletion, after the cursor `after`. */
export function deletedFolders(
  ctx: Context,
  { after, before, limit }: { readonly after: string | null; readonly before: Date; readonly limit: number },
): Promise<DeletedFolder[]> {
  const [deletedAt = null, contentId = null] = after?.split(' ') ?? [];
  return ctx.db.rows<DeletedFolder>(
    `SELECT folder, (to_json(deleted_at) #>> '{}') || ' ' || content_id AS position FROM deleted_contents
      WHERE (deleted_at, content_id) > (coalesce($deletedAt::text::timestamptz, 'epoch'),
                                        coalesce($contentId::text::uuid, '00000000-0000-0000-0000-000000000000'))
        AND deleted_at < $before
      ORDER BY deleted_at, content_id LIMIT $limit::int`,
    { deletedAt, contentId, before, limit },
  );
}
