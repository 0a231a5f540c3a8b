import type { Context } from '../platform/context.js';
import type { ContentState } from './content.model.js';
import type { LeftOutSubtitles } from './leftOutSubtitles.js';
import { percentOf } from './progress.queries.js';
import { missingColumns, missingOf, type MissingRow } from './quality.queries.js';

export interface ContentProgress {
  readonly status: ContentState;
  /** 0..100 */
  readonly percent: number;
  /** How far the missing renditions of a READY content are, 0..99. Null: none is being made. */
  readonly preparing: number | null;
  /** The missing renditions of a READY content could not be made. */
  readonly hasFailed: boolean;
  /** Message key of the reason, where `status` is FAILED or `hasFailed` is set. */
  readonly failureKey: string | null;
  /** So many seconds at the end of the source are damaged or missing. */
  readonly missingEndSeconds: number;
  /** Labels of tracks. Null: none. */
  readonly leftOutAudio: readonly string[] | null;
  /** Null: none. */
  readonly leftOutSubtitles: readonly LeftOutSubtitles[] | null;
  /** So many of the source are missing. */
  readonly leftOutChapters: number;
}

interface StateRow
  extends
    MissingRow,
    Pick<
      ContentProgress,
      'status' | 'failureKey' | 'missingEndSeconds' | 'leftOutAudio' | 'leftOutSubtitles' | 'leftOutChapters'
    > {
  readonly id: string;
}

/**
 * State and progress of contents as the rows are now, read in one statement, so that they belong to the same moment. Deleted
 * contents are not in the map.
 */
export async function contentStates(
  ctx: Context,
  contentIds: readonly string[],
): Promise<Map<string, ContentProgress>> {
  if (contentIds.length === 0) return new Map();
  const rows = await ctx.db.rows<StateRow>(
    `SELECT c.id, c.state AS status, c.failure_key, c.missing_end_seconds, c.left_out_audio, c.left_out_subtitles, c.left_out_chapters, ${missingColumns}
       FROM contents c WHERE c.id = ANY ($contentIds::uuid[]) AND c.state <> 'DELETED'`,
    { contentIds },
  );
  return new Map(rows.map((row) => [row.id, progressOfRow(row)]));
}

function progressOfRow({
  status,
  failureKey,
  missingEndSeconds,
  leftOutAudio,
  leftOutSubtitles,
  leftOutChapters,
  ...missing
}: StateRow): ContentProgress {
  const later = status === 'READY' ? missingOf(missing) : { preparing: null, hasFailed: false };
  return {
    status,
    failureKey,
    missingEndSeconds,
    leftOutAudio,
    leftOutSubtitles,
    leftOutChapters,
    percent: percentOf(status, missing.done),
    ...later,
  };
}
