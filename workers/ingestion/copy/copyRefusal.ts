import type { ProbedSource } from '../../media/index.js';

/** Why a generation is encoded instead of copied; for log and tests (`docs/decisions/uploads.md#copied`). */
export type CopyRefusal =
  | 'attempts'
  /** Reasons of recordings: the event was deleted or moved, has no segments, or one of them is missing or damaged. */
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
  /** Description of the complete source, if it was probed. */
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

/** Some players cannot play the audio of the source. Thrown from the initialisation segment, before any segment. */
export class AudioNotPlainError extends CopyError {}
