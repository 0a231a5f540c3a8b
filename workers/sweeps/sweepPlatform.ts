import { removeOldCompleted, deleteTicks } from '../../shared/platform/queue/index.js';
import { deleteOldWrites } from '../../shared/platform/database/callerWrites.js';
import { mailFolder, removeOldMails } from '../../shared/platform/mail/mailFiles.js';
import { deleteEndedCounts, deleteEndedSharedCounts } from '../../shared/platform/endedCounts.js';
import type { Handler } from '../runtime/jobTypes.js';

/** A tick is needed only while another clock may enqueue the same minute. */
const keptDays = 7;

/**
 * `platform.sweep`: removes old ticks, counts of attempts whose time is over, old positions of writes, counts of processes that
 * have died, old completed jobs, and old mails of this machine.
 */
export const sweepPlatformHandler: Handler<object> = async ({ ctx, log, signal }) => {
  const ticks = await deleteTicks(ctx, new Date(ctx.clock.now().getTime() - keptDays * 86_400_000));
  const counts = await deleteEndedCounts(ctx, signal);
  const writes = await deleteOldWrites(ctx, signal);
  const shared = await deleteEndedSharedCounts(ctx, signal);
  const jobs = await removeOldCompleted(ctx.queues, signal);
  const mails = await removeOldMails(mailFolder(ctx.config), ctx.clock.now(), signal);
  // Each tick and each job that ends is removed later: there is always something.
  log.debug(
    { ticks, counts, writes, shared, jobs, mails },
    'old clock ticks, counts, positions of writes, completed jobs and kept mails removed',
  );
};
