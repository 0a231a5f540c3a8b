import type { ProbedSource } from '../../media/index.js';

/** Why a generation is not copied, but encoded; for the log, and for the tests (`docs/decisions/uploads.md#copied`). */
export type CopyRefusal =
  | 'attempts'
  /** Of a recording: the event was deleted or moved, has no segments, or one is missing or damaged. */
  | 'noRecording'
  | 'noSegments'
  | 'segments'
  | 'noVideo'
  | 'container'
  | 'codec'
  | 'profile'
  | 'level'
  | 'pixelFormat'
  | 'interlaced'
  | 'pixelAspect'
  | 'rotation'
  | 'highDynamicRange'
  | 'size'
  | 'truncated'
  | 'parameterSets'
  | 'editList'
  | 'timestamps'
  | 'gap'
  | 'openGop'
  | 'firstKeyframe'
  | 'keyframeInterval'
  | 'bitRate'
  | 'duration'
  | 'audioStart'
  | 'audioEnd'
  /** The copy itself has failed, or differs from the index. */
  | 'copy';

/** A generation that is not copied. `detail`: for the log. */
export interface NotCopied {
  readonly refusal: CopyRefusal;
  readonly detail?: string;
  /** Of the whole source, where it was asked for. */
  readonly description?: ProbedSource;
}

/** The source cannot be copied; it is encoded instead. The message is for the log. */
export class CopyError extends Error {
  constructor(
    message: string,
    readonly refusal: CopyRefusal = 'copy',
  ) {
    super(message);
  }
}

/** Not every player can play the audio of the source. The initialisation segment tells so, before any segment is handed over. */
export class AudioNotPlainError extends CopyError {}
