import type { Cue } from '../../shared/caption/cue.js';
import type { SpeechSource } from '../media/index.js';
import type { WorkerContext } from '../runtime/workerContext.js';

/** What was said in a content. */
export interface Transcript {
  /** As who has listened names it; empty: not named. */
  readonly language: string;
  /** In any order. Empty: nothing was said. */
  readonly cues: readonly Cue[];
}

/** The port of programs and servers that listen. Rejects if it cannot be done now; with PermanentJobError where it never can. */
export type Transcribe = (ctx: WorkerContext, transcription: Transcription) => Promise<Transcript>;

export interface Transcription {
  readonly contentId: string;
  readonly speech: SpeechSource;
  readonly signal: AbortSignal;
}
