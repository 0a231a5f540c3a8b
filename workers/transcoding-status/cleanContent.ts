import { deleteObsoleteGenerations } from '../../shared/content/chunk.lifecycle.js';
import type { ContentPayload } from '../../shared/content/content.jobs.js';
import { contentFolder } from '../../shared/content/storageKeys.js';
import { retainedGenerations } from '../../shared/generationsInUse.js';
import { retainedFilesOf } from '../../shared/content/content.queries.js';
import { isObsolete } from '../../shared/content/retainedFiles.js';
import type { JobRun } from '../runtime/jobTypes.js';

const batchSize = 500;

/**
 * `content.clean`: removes unneeded files of a content: those of failed attempts, intermediate files, and those of replaced and
 * failed generations.
 */
export async function cleanContentHandler(run: JobRun<ContentPayload>): Promise<unknown> {
  const { ctx, payload } = run;
  const retained = await retainedFilesOf(ctx, payload.contentId, retainedGenerations);
  if (!retained) return { skipped: 'the content was removed' };
  let removed = 0;
  const batch: string[] = [];
  const flush = async (): Promise<void> => {
    removed += batch.length;
    await ctx.storage.remove(batch.splice(0));
  };
  for await (const { key } of ctx.storage.list(contentFolder(retained.content))) {
    run.signal.throwIfAborted();
    if (isObsolete(retained, key)) batch.push(key);
    if (batch.length === batchSize) await flush();
  }
  await flush();
  await deleteObsoleteGenerations(ctx, retained);
  return { removed };
}
