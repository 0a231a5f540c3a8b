import type { Context } from '../platform/context.js';
import type { ContentState } from './content.model.js';
import { percentOf } from './progress.queries.js';
import { missingColumns, missingOf, type MissingRow } from './quality.queries.js';
import { separateFaults, sourceFaultColumns, type SourceFaults } from './sourceFaults.js';

export interface ContentProgress extends SourceFaults {
  readonly status: ContentState;
  /** 0..100 */
  readonly percent: number;
  /** Progress of the missing renditions of a READY content, 0..99. Null: none is being encoded. */
  readonly preparing: number | null;
  /** The missing renditions of a READY content could not be encoded. */
  readonly hasFailed: boolean;
}

interface StateRow extends MissingRow, SourceFaults, Pick<ContentProgress, 'status'> {
  readonly id: string;
}

/**
 * Current state and progress of contents, read in one statement, so that they belong to the same moment. Deleted
 * contents are not in the map.
 */
export async function contentStates(
  ctx: Context,
  contentIds: readonly string[],
): Promise<Map<string, ContentProgress>> {
  if (contentIds.length === 0) return new Map();
  const rows = await ctx.db.rows<StateRow>(
    `SELECT c.id, c.state AS status, ${sourceFaultColumns('c')}, ${missingColumns}
       FROM contents c WHERE c.id = ANY ($contentIds::uuid[]) AND c.state <> 'DELETED'`,
    { contentIds },
  );
  return new Map(rows.map((row) => [row.id, progressOfRow(row)]));
}

function progressOfRow(row: StateRow): ContentProgress {
  const { faults, others } = separateFaults(row);
  const { status, ...missing } = others;
  const later = status === 'READY' ? missingOf(missing) : { preparing: null, hasFailed: false };
  return { ...faults, status, percent: percentOf(status, missing.done), ...later };
}
