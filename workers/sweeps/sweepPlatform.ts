import { removeOldCompleted, deleteTicks } from '../../shared/platform/queue/index.js';
import { deleteOldWrites } from '../../shared/platform/database/callerWrites.js';
import { mailFolder, removeOldMails } from '../../shared/platform/mail/mailFiles.js';
import { deleteEndedCounts, deleteEndedSharedCounts } from '../../shared/platform/endedCounts.js';
import type { Handler } from '../runtime/jobTypes.js';

/** A tick is needed only while another clock may enqueue the same planned minute. */
const retentionDays = 7;

/**
 * `platform.sweep`: removes old ticks, expired attempt counters, old write positions, counters of crashed processes, old completed
 * jobs, and old mail files of this machine.
 */
export const sweepPlatformHandler: Handler<object> = async ({ ctx, log, signal }) => {
  const ticks = await deleteTicks(ctx, new Date(ctx.clock.now().getTime() - retentionDays * 86_400_000));
  const counts = await deleteEndedCounts(ctx, signal);
  const writes = await deleteOldWrites(ctx, signal);
  const shared = await deleteEndedSharedCounts(ctx, signal);
  const jobs = await removeOldCompleted(ctx.queues, signal);
  const mails = await removeOldMails(mailFolder(ctx.config), ctx.clock.now(), signal);
  // Every run removes ticks and completed jobs, so the counts are logged only at the debug level.
  log.debug(
    { ticks, counts, writes, shared, jobs, mails },
    'old ticks, counters, write positions, completed jobs and mail files removed',
  );
};
