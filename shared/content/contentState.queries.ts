import type { Context } from '../platform/context.js';
import type { ContentState } from './content.model.js';
import { progressOf } from './progress.queries.js';
import { qualityOf } from './quality.queries.js';

export interface ContentProgress {
  readonly status: ContentState;
  /** 0..100 */
  readonly percent: number;
  /** How far the missing renditions of a READY content are, 0..99. Null: none is being made. */
  readonly preparing: number | null;
  /** Message key of the reason, where `status` is FAILED. */
  readonly failureKey: string | null;
}

/** State and progress of contents as the rows are now. Deleted contents are not in the map. */
export async function contentStates(
  ctx: Context,
  contentIds: readonly string[],
): Promise<Map<string, ContentProgress>> {
  if (contentIds.length === 0) return new Map();
  const [percents, qualities] = await Promise.all([progressOf(ctx, contentIds), qualityOf(ctx, contentIds)]);
  const rows = await ctx.db.rows<{ id: string; status: ContentState; failureKey: string | null }>(
    `SELECT id, state AS status, failure_key FROM contents WHERE id = ANY ($contentIds::uuid[]) AND state <> 'DELETED'`,
    { contentIds },
  );
  return new Map(
    rows.map(({ id, ...state }) => [
      id,
      { ...state, percent: percents.get(id) ?? 0, preparing: qualities.get(id)?.preparing ?? null },
    ]),
  );
}
