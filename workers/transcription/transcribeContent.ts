import type { TranscriptionConfig } from '../../shared/caption/caption.settings.js';
import { addMadeCaption } from '../../shared/caption/caption.service.js';
import { orderedCues } from '../../shared/caption/cue.js';
import { languageTagOfName, unknownLanguage } from '../../shared/platform/formats/language.js';
import type { ContentPayload } from '../../shared/content/content.jobs.js';
import { findContent } from '../../shared/content/content.queries.js';
import { contentStartSeconds } from '../media/contentStart.js';
import { probe } from '../media/probe.js';
import type { JobRun } from '../runtime/jobTypes.js';
import { withTemporaryFolder } from '../runtime/temporaryFolders.js';
import { programTranscript } from './programTranscript.js';
import { serverTranscript } from './serverTranscript.js';
import type { Transcribe } from './transcript.js';

/**
 * `caption.transcribe`: makes automatic captions of what is said. Idempotent: none are added beside captions in the same language. A
 * content in which nothing is said gets none.
 */
export async function transcribeContentHandler(run: JobRun<ContentPayload>): Promise<unknown> {
  const { ctx, payload, signal } = run;
  const { transcription } = ctx.config;
  const content = await findContent(ctx, payload.contentId);
  if (!transcription || !content || content.state === 'DELETED' || content.state === 'FAILED')
    return { skipped: 'nothing to transcribe' };
  return ctx.media.sources.use(content.sourceKey, signal, (path) =>
    withTemporaryFolder(ctx.config, async (folder) => {
      const description = await probe(ctx.media.runner, path, ctx.config.media, signal);
      const { demuxer, audio } = description;
      if (!audio) return { skipped: 'no audio' };
      const speech = { folder, path, demuxer, stream: audio.index, startSeconds: contentStartSeconds(description) };
      const { language, cues } = await transcribeBy(transcription)(ctx, speech, signal);
      if (cues.length === 0) return { skipped: 'nothing is said' };
      const made = { origin: 'AUTOMATIC', stream: null, kind: 'captions', cues: orderedCues(cues) } as const;
      const tag = languageTagOfName(language) ?? unknownLanguage;
      return { language: tag, added: await addMadeCaption(ctx, content.id, { ...made, language: tag }) };
    }),
  );
}

function transcribeBy(transcription: TranscriptionConfig): Transcribe {
  return 'command' in transcription ? programTranscript(transcription.command) : serverTranscript(transcription);
}
