import type { Context } from '../../shared/platform/context.js';
import type { Mailer } from '../../shared/platform/mail/mail.js';
import type { Queues } from '../../shared/platform/queue/index.js';
import { openMedia, type Media } from './media.js';

/** The context of jobs, without the media tools. */
interface UsedByJobs extends Context {
  readonly queues: Queues;
  readonly mailer: Mailer;
}

/** The context of a worker process, with the media tools that its jobs share. */
export interface WorkerContext extends UsedByJobs {
  /** Opened at the first use. */
  readonly media: Media;
}

export function createWorkerContext(ctx: UsedByJobs): WorkerContext {
  let media: Media | undefined;
  return {
    ...ctx,
    get media() {
      return (media ??= openMedia(ctx));
    },
  };
}
