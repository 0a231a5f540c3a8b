import type { ContentPayload } from '../../shared/content/content.jobs.js';
import type { LeftOutSubtitles } from '../../shared/content/leftOutSubtitles.js';
import { isMediaFailure, MediaError, type ProbedSource } from '../media/index.js';
import { failureIn } from '../runtime/fullDisk.js';
import type { JobRun } from '../runtime/jobTypes.js';

/** A source whose captions are read. */
export interface CaptionSource {
  readonly path: string;
  /** For files of this job alone. */
  readonly folder: string;
  readonly description: ProbedSource;
  /** The time of the source at which its content begins. */
  readonly startMs: number;
}

/** What became of the captions of a source. */
export interface MadeCaptions {
  /** The number of those that were added now. */
  readonly added: number;
  readonly leftOut: readonly LeftOutSubtitles[];
}

/** To read a source of 100 GB once; compressed blocks expand to a thousand times as much. */
export const copySeconds = 600;

/** Resolves with false if ffmpeg has failed because of the media. What it has written until then is used. */
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
