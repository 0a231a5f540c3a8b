import type { Context } from '../../shared/platform/context.js';
import { openFfmpegRunner, type MediaRunner } from '../media/index.js';
import { createSourceCache, type SourceCache } from './sourceCache.js';
import { sweepTemporaryFolders } from './temporaryFolders.js';

/** The media tools that all jobs of a worker process share. */
export interface Media {
  readonly runner: MediaRunner;
  readonly sources: SourceCache;
}

/** Opens the media tools, and removes temporary folders of processes that have crashed on this machine. */
export function openMedia(ctx: Context): Media {
  sweepTemporaryFolders(ctx.config, ctx.clock.now()).catch((error: unknown) =>
    ctx.log.warn({ err: error }, 'temporary folders not swept'),
  );
  return { runner: openFfmpegRunner(ctx.config.media), sources: createSourceCache(ctx) };
}
