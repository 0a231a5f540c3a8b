import type { ContentPayload } from '../../shared/content/content.jobs.js';
import type { LeftOutSubtitles } from '../../shared/content/leftOutSubtitles.js';
import { isMediaFailure, MediaError, type ProbedSource } from '../media/index.js';
import { failureIn } from '../runtime/fullDisk.js';
import type { JobRun } from '../runtime/jobTypes.js';

/** A source whose captions are read. */
export interface CaptionSource {
  readonly path: string;
  /** Temporary folder of this job. */
  readonly folder: string;
  readonly description: ProbedSource;
  /** The source time at which the content begins. */
  readonly startMs: number;
}

/** The result of reading the captions of a source. */
export interface MadeCaptions {
  /** Number of captions that were added. */
  readonly added: number;
  readonly leftOut: readonly LeftOutSubtitles[];
}

/** Processor time to read a source of 100 GB once. Limited, because compressed blocks can expand a thousandfold. */
export const copySeconds = 600;

/** Resolves with false if ffmpeg has failed because of the media. Its output until then is used. */
export async function unlessMediaFails(
  { log, payload, isLastAttempt }: JobRun<ContentPayload>,
  folder: string,
  work: () => Promise<void>,
): Promise<boolean> {
  try {
    await work();
    return true;
  } catch (thrown) {
    const error = await failureIn(folder, thrown);
    const isOfMedia = isMediaFailure(error) || (isLastAttempt && error instanceof MediaError);
    if (!isOfMedia) throw error;
    log.info({ contentId: payload.contentId, detail: error.message }, 'captions of the source cannot be read');
    return false;
  }
}
