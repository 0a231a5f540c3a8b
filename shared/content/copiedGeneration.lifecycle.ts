import type { Context } from '../platform/context.js';
import type { Transaction } from '../platform/database/database.js';
import type { ChunkRendition, ChunkResult } from './chunkResult.js';
import type { Content } from './content.model.js';
import { endIngestion, type IngestedSource } from './ingestion.lifecycle.js';
import { createRenditions, recordInits, type NewRendition } from './rendition.service.js';

/** A quick generation that was copied, not encoded. All its files are stored before it is recorded. */
export interface CopiedGeneration extends Omit<IngestedSource, 'plan' | 'quick'> {
  /** Lowest first. */
  readonly renditions: readonly NewRendition[];
  /**
   * The copied chunks, in order. A chunk has one initialisation segment for each rendition, and may lack a rendition that
   * other chunks have. `folder`: from `copiedFolder` in `storageKeys.ts`.
   */
  readonly chunks: readonly { readonly folder: string; readonly result: ChunkResult }[];
}

/**
 * Writes the renditions and DONE chunks of a copied generation, and releases the ingestion lease. The caller calls
 * `completeGeneration` in the same transaction. Returns false if the lease has been lost.
 */
export async function recordCopied(
  ctx: Context,
  tx: Transaction,
  content: Content,
  leaseOwner: string,
  { renditions, chunks, ...source }: CopiedGeneration,
): Promise<boolean> {
  const generation = { contentId: content.id, generation: content.generation };
  if (!(await endIngestion(ctx, tx, content, leaseOwner, { ...source, plan: null, quick: true }))) return false;
  await createRenditions(ctx, tx, generation, renditions);
  await ctx.db.change(
    `INSERT INTO chunks (content_id, generation, position, state, priority, progress, folder, result, updated_at)
     SELECT $contentId, $generation, position - 1, 'DONE', 1, 1, chunk ->> 'folder', chunk -> 'result', $now
       FROM jsonb_array_elements($chunks::jsonb) WITH ORDINALITY AS done (chunk, position)`,
    { ...generation, chunks: JSON.stringify(chunks), now: ctx.clock.now() },
    tx,
  );
  await recordInits(ctx, tx, generation, { renditions: firstOf(chunks) });
  return true;
}

/** Each rendition from the first chunk that contains it. */
function firstOf(chunks: CopiedGeneration['chunks']): Record<string, ChunkRendition> {
  return Object.assign({}, ...chunks.map(({ result }) => result.renditions).toReversed()) as Record<
    string,
    ChunkRendition
  >;
}
