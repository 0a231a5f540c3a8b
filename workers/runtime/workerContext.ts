import type { ProcessContext } from '../../shared/platform/processContext.js';
import { openMedia, type Media } from './media.js';

/** The context of a worker process: with the media tools that its jobs share. */
export interface WorkerContext extends ProcessContext {
  /** Opened at the first use. */
  readonly media: Media;
}

export function createWorkerContext(ctx: ProcessContext): WorkerContext {
  let media: Media | undefined;
  return {
    ...ctx,
    get media() {
      return (media ??= openMedia(ctx));
    },
  };
}
