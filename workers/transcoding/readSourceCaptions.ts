import type { ContentPayload } from '../../shared/content/content.jobs.js';
import { findContent } from '../../shared/content/content.queries.js';
import { recordLeftOutSubtitles } from '../../shared/content/leftOutSubtitles.service.js';
import { contentStartSeconds, mayHaveCaptions, probe } from '../media/index.js';
import type { JobRun } from '../runtime/jobTypes.js';
import { withTemporaryFolder } from '../runtime/temporaryFolders.js';
import { makeClosedCaptions } from './closedCaptionsOfSource.js';
import { makeSubtitles } from './subtitlesOfSource.js';

/**
 * `caption.readSource`: creates captions from the subtitles in the source, and from the closed captions in its video. Idempotent:
 * each is added once. Records which ones are left out, for the owner.
 */
export async function readSourceCaptionsHandler(run: JobRun<ContentPayload>): Promise<unknown> {
  const { ctx, payload, signal } = run;
  const content = await findContent(ctx, payload.contentId);
  if (!content || content.state === 'DELETED' || content.state === 'FAILED') return { skipped: 'nothing to read' };
  return ctx.media.sources.use(content.sourceKey, signal, (path) =>
    withTemporaryFolder(ctx.config, async (folder) => {
      const description = await probe(ctx.media.runner, path, ctx.config.media, signal);
      if (!mayHaveCaptions(description)) return { skipped: 'no captions' };
      const startMs = Math.round(contentStartSeconds(description) * 1000);
      const source = { path, folder, description, startMs };
      const subtitles = await makeSubtitles(run, source);
      const closed = await makeClosedCaptions(run, source);
      const leftOut = [...subtitles.leftOut, ...closed.leftOut];
      await recordLeftOutSubtitles(ctx, content.id, leftOut);
      return {
        ...{ streams: description.subtitles.length, added: subtitles.added + closed.added },
        leftOut: leftOut.length,
      };
    }),
  );
}
