import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { addMadeCaption } from '../../shared/caption/caption.service.js';
import { CaptionFileError, type Cue } from '../../shared/caption/cue.js';
import { languageTag, unknownLanguage } from '../../shared/platform/formats/language.js';
import { readCaptions, shiftedCues } from '../../shared/caption/readCaptions.js';
import type { ContentPayload } from '../../shared/content/content.jobs.js';
import { findContent } from '../../shared/content/content.queries.js';
import { contentStartSeconds } from '../media/contentStart.js';
import { probe, type SubtitleStream } from '../media/probe.js';
import { isMediaFailure } from '../media/runner.js';
import { subtitleCommand, subtitleFile } from '../media/subtitleCommand.js';
import type { JobRun } from '../runtime/jobTypes.js';
import { withTemporaryFolder } from '../runtime/temporaryFolders.js';

const longestLabel = 100;

/**
 * `caption.readSource`: makes captions of the streams of subtitles in the source. Idempotent: a stream is added once. What cannot be
 * read is left out: the content plays without it.
 */
export async function readSourceCaptionsHandler(run: JobRun<ContentPayload>): Promise<unknown> {
  const { ctx, payload, signal } = run;
  const content = await findContent(ctx, payload.contentId);
  if (!content || content.state === 'DELETED' || content.state === 'FAILED') return { skipped: 'nothing to read' };
  return ctx.media.sources.use(content.sourceKey, signal, (path) =>
    withTemporaryFolder(ctx.config, async (folder) => {
      const { runner } = ctx.media;
      const description = await probe(runner, path, ctx.config.media, signal);
      const { demuxer, subtitles } = description;
      const streams = subtitles.map(({ index }) => index);
      if (streams.length === 0) return { skipped: 'no subtitles' };
      try {
        await runner.convert(subtitleCommand({ folder, path, demuxer, streams }), { signal });
      } catch (error) {
        if (!isMediaFailure(error)) throw error;
        run.log.info({ contentId: content.id, detail: error.message }, 'subtitles of the source cannot be read');
      }
      const startMs = Math.round(contentStartSeconds(description) * 1000);
      let added = 0;
      for (const stream of subtitles) {
        const cues = await cuesIn(join(folder, subtitleFile(stream.index)), startMs);
        if (cues && (await addMadeCaption(ctx, content.id, { ...describedBy(stream), cues }))) added += 1;
      }
      return { streams: streams.length, added };
    }),
  );
}

/** Null: there are none that can be shown. */
async function cuesIn(path: string, startMs: number): Promise<readonly Cue[] | null> {
  try {
    return shiftedCues(await readCaptions(await readFile(path)), -startMs);
  } catch (error) {
    const isMissing = (error as NodeJS.ErrnoException).code === 'ENOENT';
    if (isMissing || error instanceof CaptionFileError) return null;
    throw error;
  }
}

function describedBy({ index, language, title, isForDeaf }: SubtitleStream) {
  const label = title.trim().slice(0, longestLabel);
  return {
    ...{ origin: 'SOURCE' as const, stream: index, kind: isForDeaf ? ('captions' as const) : ('subtitles' as const) },
    language: languageTag(language) ?? unknownLanguage,
    ...(label === '' ? {} : { label }),
  };
}
