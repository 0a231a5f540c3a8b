import { requeueLostChunks } from '../../shared/content/chunk.lifecycle.js';
import { requeueAssemblies, requeueRemovals } from '../../shared/content/content.lifecycle.js';
import { releaseReplacedGenerations } from '../../shared/content/replacedGeneration.service.js';
import { requeueIngestions } from '../../shared/content/ingestion.lifecycle.js';
import { sweepTemporaryFolders } from '../runtime/temporaryFolders.js';
import type { Handler } from '../runtime/jobTypes.js';

/** How long a job may take from its row to its worker before it is queued again, which is harmless. */
const waitMs = 120_000;

/** `content.sweep`: queues unfinished work again, after a crash or if its job was lost on its way into a queue. */
export const sweepContentsHandler: Handler<object> = async ({ ctx, log }) => {
  const now = ctx.clock.now();
  const before = new Date(now.getTime() - waitMs);
  const found = {
    ingestions: await requeueIngestions(ctx, before),
    chunks: await requeueLostChunks(ctx),
    assemblies: await requeueAssemblies(ctx, before),
    removals: await requeueRemovals(ctx, before),
    replaced: await releaseReplacedGenerations(ctx),
    folders: await sweepTemporaryFolders(ctx.config, now),
  };
  if (Object.values(found).some((count) => count > 0)) log.info(found, 'unfinished work queued again');
  return found;
};
