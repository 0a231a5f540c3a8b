import type { ContentPayload } from '../../shared/content/content.jobs.js';
import { contentFolder } from '../../shared/content/layout.js';
import { neededFiles } from '../../shared/content/needed.js';
import { isStale } from '../../shared/content/stale.js';
import type { JobRun } from '../runtime/jobTypes.js';

const batchSize = 500;

/** Removes what no generation of a content needs: attempts in vain, the making of what is made, old and failed generations. */
export async function clean(run: JobRun<ContentPayload>): Promise<unknown> {
  const { ctx, payload } = run;
  const needed = await neededFiles(ctx, payload.contentId);
  if (!needed) return { skipped: 'the content is gone' };
  let removed = 0;
  const batch: string[] = [];
  const flush = async (): Promise<void> => {
    removed += batch.length;
    await ctx.storage.remove(batch.splice(0));
  };
  for await (const { key } of ctx.storage.list(contentFolder(payload.contentId))) {
    run.signal.throwIfAborted();
    if (isStale(needed, key)) batch.push(key);
    if (batch.length === batchSize) await flush();
  }
  await flush();
  await ctx.db.change(
    `DELETE FROM chunks WHERE content_id = $contentId AND generation <> coalesce($ready, -1) AND generation <> coalesce($making, -1)`,
    { contentId: payload.contentId, ready: needed.ready?.generation ?? null, making: needed.making },
  );
  await ctx.db.change(
    `DELETE FROM renditions WHERE content_id = $contentId AND generation <> coalesce($ready, -1) AND generation <> coalesce($making, -1)`,
    { contentId: payload.contentId, ready: needed.ready?.generation ?? null, making: needed.making },
  );
  return { removed };
}
