import type { Context } from '../platform/context.js';
import { processing } from './processing.js';
import { percentDone } from './progress.queries.js';

/** In which sizes a content plays, and whether more are coming. */
export interface ContentQuality {
  /** Those that play, lowest first. */
  readonly renditions: readonly RenditionSize[];
  /** How far the renditions are that are still made, 0..99. Null: all are there, or those that are missing could not be made. */
  readonly preparing: number | null;
  /** The missing renditions could not be made. */
  readonly hasFailed: boolean;
}

export interface RenditionSize {
  readonly width: number;
  readonly height: number;
}

interface QualityRow {
  readonly id: string;
  readonly renditions: readonly RenditionSize[];
  readonly isIncomplete: boolean;
  readonly isProcessed: boolean;
  readonly done: number | null;
}

/** The quality of contents that are READY. Others are not in the result. */
export async function qualityOf(ctx: Context, contentIds: readonly string[]): Promise<Map<string, ContentQuality>> {
  if (contentIds.length === 0) return new Map();
  const rows = await ctx.db.rows<QualityRow>(
    `SELECT c.id,
            coalesce((SELECT jsonb_agg(jsonb_build_object('width', r.width, 'height', r.height) ORDER BY r.position)
                        FROM renditions r WHERE r.content_id = c.id AND r.generation = c.ready_generation), '[]') AS renditions,
            c.ready_grid IS NULL AS is_incomplete, ${processing('c')} AS is_processed, ${percentDone} AS done
       FROM contents c WHERE c.id = ANY($contentIds::uuid[]) AND c.state = 'READY'`,
    { contentIds },
  );
  return new Map(
    rows.map(({ id, renditions, isIncomplete, isProcessed, done }) => {
      const preparing = isIncomplete && isProcessed ? (done ?? 0) : null;
      return [id, { renditions, preparing, hasFailed: isIncomplete && !isProcessed }];
    }),
  );
}
