import type { Context } from '../platform/context.js';
import { processing } from './processing.js';
import { percentDone } from './progress.queries.js';

/** In which sizes a content plays, and whether more are coming. */
export interface ContentQuality {
  /** Those that play, lowest first. */
  readonly renditions: readonly RenditionSize[];
  /** How far the renditions are that are still made, or made again, 0..99. Null: all are there, or those that are missing could not be made. */
  readonly preparing: number | null;
  /** The missing renditions could not be made. */
  readonly hasFailed: boolean;
}

export interface RenditionSize {
  readonly width: number;
  readonly height: number;
}

/** What `missingColumns` reads. */
export interface MissingRow {
  /** Renditions are missing, for example because a quick generation plays. */
  readonly isIncomplete: boolean;
  readonly isProcessed: boolean;
  readonly done: number | null;
}

/** SQL: what a row `c` of `contents` tells about renditions that are missing. */
export const missingColumns = `c.ready_grid IS NULL AS is_incomplete, ${processing('c')} AS is_processed,
  CASE WHEN c.ready_grid IS NULL OR ${processing('c')} THEN ${percentDone} END AS done`;

/** Of a content that is READY. */
export function missingOf({
  isIncomplete,
  isProcessed,
  done,
}: MissingRow): Pick<ContentQuality, 'preparing' | 'hasFailed'> {
  return { preparing: isProcessed ? (done ?? 0) : null, hasFailed: isIncomplete && !isProcessed };
}

interface QualityRow extends MissingRow {
  readonly id: string;
  readonly renditions: readonly RenditionSize[];
}

/** The quality of contents that are READY. Others are not in the result. */
export async function qualityOf(ctx: Context, contentIds: readonly string[]): Promise<Map<string, ContentQuality>> {
  if (contentIds.length === 0) return new Map();
  const rows = await ctx.db.rows<QualityRow>(
    `SELECT c.id,
            coalesce((SELECT jsonb_agg(jsonb_build_object('width', r.width, 'height', r.height) ORDER BY r.position)
                        FROM renditions r WHERE r.content_id = c.id AND r.generation = c.ready_generation), '[]') AS renditions,
            ${missingColumns}
       FROM contents c WHERE c.id = ANY($contentIds::uuid[]) AND c.state = 'READY'`,
    { contentIds },
  );
  return new Map(rows.map(({ id, renditions, ...missing }) => [id, { renditions, ...missingOf(missing) }]));
}
