import type { Context } from '../platform/context.js';
import { notifyUser } from '../user/user.jobs.js';

/** Mails the owner of a stream that a run continues without one of its renditions, because this machine is too slow for all. */
export async function noticeDroppedRendition(
  ctx: Context,
  {
    runId,
    ownerId,
    streamPath,
    rendition,
  }: {
    readonly runId: string;
    readonly ownerId: string;
    readonly streamPath: string;
    readonly rendition: string;
  },
): Promise<void> {
  await ctx.db.transaction((tx) =>
    ctx.outbox.add(tx, notifyUser, {
      userId: ownerId,
      key: 'streaming.renditionDropped',
      values: { streamPath, rendition },
      event: runId,
    }),
  );
}
