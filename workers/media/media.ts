import type { Context } from '../../shared/platform/context.js';
import { openFfmpegRunner } from './ffmpegRunner.js';
import type { MediaRunner } from './runner.js';
import { sweepTemporaryFolders } from './temporaryFolders.js';
import { createSourceCache, type SourceCache } from './sourceCache.js';

/** What media jobs share within one process. */
export interface Media {
  readonly runner: MediaRunner;
  readonly sources: SourceCache;
}

const opened = new WeakMap<Context['config'], Media>();

/** The process's media tools: one for each settings, made at the first call. */
export function mediaOf(ctx: Context): Media {
  const known = opened.get(ctx.config);
  if (known) return known;
  const media = { runner: openFfmpegRunner(ctx.config.media), sources: createSourceCache(ctx) };
  opened.set(ctx.config, media);
  // A process that died here before may have left files, and where there is no leash even a tool that still writes to them.
  sweepTemporaryFolders(ctx.config, ctx.clock.now()).catch((error: unknown) =>
    ctx.log.warn({ err: error }, 'temporary folders not swept'),
  );
  return media;
}
