import type { Cue } from '../../shared/caption/cue.js';
import type { SpeechSource } from '../media/index.js';
import type { WorkerContext } from '../runtime/workerContext.js';

/** The transcript of a content. */
export interface Transcript {
  /** The language that the program or server reports; empty if it reports none. */
  readonly language: string;
  /** In any order. Empty if there is no speech. */
  readonly cues: readonly Cue[];
}

/**
 * The interface of transcription programs and servers. Rejects with PermanentJobError if a further attempt would fail in the same
 * way, otherwise with other errors.
 */
export type Transcribe = (ctx: WorkerContext, transcription: Transcription) => Promise<Transcript>;

export interface Transcription {
  readonly contentId: string;
  readonly speech: SpeechSource;
  readonly signal: AbortSignal;
}
