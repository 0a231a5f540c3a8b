import type { TranscriptionConfig } from '../../shared/caption/caption.settings.js';
import { addGeneratedCaption } from '../../shared/caption/caption.service.js';
import { CaptionFileError, orderedCues } from '../../shared/caption/cue.js';
import { divideCrowded } from '../../shared/caption/shownAtOnce.js';
import { removePieces } from '../../shared/caption/transcriptPiece.service.js';
import { languageTagOfName, unknownLanguage } from '../../shared/platform/formats/language.js';
import type { ContentPayload } from '../../shared/content/content.jobs.js';
import { findContent } from '../../shared/content/content.queries.js';
import { contentStartSeconds, probe } from '../media/index.js';
import { PermanentJobError, type ExhaustedRun, type JobRun } from '../runtime/jobTypes.js';
import { withTemporaryFolder } from '../runtime/temporaryFolders.js';
import type { WorkerContext } from '../runtime/workerContext.js';
import { programTranscript } from './programTranscript.js';
import { serverTranscript } from './serverTranscript.js';
import type { Transcript, Transcription } from './transcript.js';

/**
 * `caption.transcribe`: creates automatic captions from speech. Idempotent: adds none if there are captions in the same language. A
 * content without speech gets none.
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
      const speech = {
        folder,
        path,
        demuxer,
        stream: audio.index,
        channels: audio,
        startSeconds: contentStartSeconds(description),
      };
      const { language, cues } = await transcript(ctx, transcription, { contentId: content.id, speech, signal });
      const made = { origin: 'AUTOMATIC', stream: null, kind: 'captions', cues } as const;
      const tag = languageTagOfName(language) ?? unknownLanguage;
      const added = cues.length > 0 && (await addGeneratedCaption(ctx, content.id, { ...made, language: tag }));
      await removePieces(ctx, content.id);
      return cues.length === 0 ? { skipped: 'no speech' } : { language: tag, added };
    }),
  );
}

/**
 * Resolves with the cues as they are stored. Rejects with PermanentJobError if they cannot be stored, because another attempt would
 * have the same result.
 */
async function transcript(
  ctx: WorkerContext,
  config: TranscriptionConfig,
  transcription: Transcription,
): Promise<Transcript> {
  const transcribe = 'command' in config ? programTranscript(config.command) : serverTranscript(config);
  try {
    const { language, cues } = await transcribe(ctx, transcription);
    return { language, cues: cues.length === 0 ? [] : (await divideCrowded(orderedCues(cues))).shown };
  } catch (error) {
    if (!(error instanceof CaptionFileError)) throw error;
    throw new PermanentJobError(`the transcript cannot be used: ${error.message}`, { cause: error });
  }
}

/** Removes the transcribed pieces, which are no longer needed. */
export async function transcriptionExhausted({ ctx, payload }: ExhaustedRun<ContentPayload>): Promise<void> {
  await removePieces(ctx, payload.contentId);
}
