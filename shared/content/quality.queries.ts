import type { Context } from '../platform/context.js';
import { processing } from './processing.js';
import { percentDone } from './progress.queries.js';

/** The sizes in which a content plays, and the progress of missing ones. */
export interface ContentQuality {
  /** Renditions of the ready generation, lowest first. */
  readonly renditions: readonly RenditionSize[];
  /** Progress of renditions that are being encoded, also by reprocessing, 0..99. Null: none is being encoded. */
  readonly preparing: number | null;
  /** The missing renditions could not be encoded. */
  readonly hasFailed: boolean;
}

export interface RenditionSize {
  readonly width: number;
  readonly height: number;
}

/** The columns of `missingColumns`. */
export interface MissingRow {
  /** Renditions are missing, for example because a quick generation plays. */
  readonly isIncomplete: boolean;
  readonly isProcessed: boolean;
  readonly done: number | null;
}

/** SQL: columns about missing renditions of a row `c` of `contents`. */
export const missingColumns = `c.ready_grid IS NULL AS is_incomplete, ${processing('c')} AS is_processed,
  CASE WHEN c.ready_grid IS NULL OR ${processing('c')} THEN ${percentDone} END AS done`;

/** Evaluates `missingColumns` of a READY content. */
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

/** The quality of READY contents, by id. The result omits others. */
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
