import type { TakeData } from './outputPipe.js';

/** One input or output of ffmpeg: its options, and a path (relative ones are within the command's folder). */
export interface MediaFile {
  readonly path: string;
  readonly options: readonly string[];
}

/** One ffmpeg process, as lists of arguments: no shell is involved. */
export interface MediaCommand {
  /** Working folder. Outputs are relative to it, so that no path can be interpreted as a pattern. */
  readonly folder: string;
  readonly inputs: readonly MediaFile[];
  readonly filter?: string;
  readonly outputs: readonly MediaFile[];
}

export interface MediaProgress {
  readonly frames: number;
  readonly seconds: number;
}

export interface MediaRun {
  /** Ends the process with SIGTERM, then with SIGKILL. */
  readonly signal: AbortSignal;
  /** A process without progress for this long is ended, and the run fails. Default: `usualStallSeconds` of `watchdog.ts`. */
  readonly stallSeconds?: number;
  /**
   * A process that has used more processor time is ended, and the run fails because of the media. Linux only. Default: unlimited.
   */
  readonly maxProcessorSeconds?: number;
  /** Scheduling priority: 0 is that of this process, 19 the lowest. Default: 15, below all work that viewers wait for. */
  readonly niceness?: number;
}

/** The paths of the programs. */
export interface ToolPaths {
  readonly ffmpegPath: string;
  readonly ffprobePath: string;
}

/** Runs ffmpeg and ffprobe. When a run resolves or rejects, its process has ended. */
export interface MediaRunner {
  /**
   * Rejects with MediaError, with MachineError, or with the signal's reason if it was aborted. When it resolves, the files are
   * complete.
   */
  convert(
    command: MediaCommand,
    run: MediaRun & { readonly onProgress?: (progress: MediaProgress) => void },
  ): Promise<void>;
  /**
   * Runs ffmpeg, whose last output is `pipe:1`, and calls `onData` with this output. ffmpeg waits while its promise is pending; the
   * data is invalid afterwards. Rejects like `convert`, and with errors of `onData`.
   */
  stream(command: MediaCommand, run: MediaRun & { readonly onData: TakeData }): Promise<void>;
  /** Runs ffprobe, and calls `onLine` with each line of its output. Rejects like `convert`, and with errors of `onLine`. */
  inspect(options: readonly string[], run: MediaRun & { readonly onLine: (line: string) => void }): Promise<void>;
}

/** ffmpeg or ffprobe has failed because of the media (`toolVerdict.ts`). The message ends with its output. */
export class MediaError extends Error {}

/** ffmpeg or ffprobe has failed because of the machine. `code`: a system error such as ENOSPC, or a signal. */
export class MachineError extends Error {
  override readonly name = 'MachineError';

  constructor(
    readonly code: string,
    detail: string,
  ) {
    super(`${code}: ${detail}`);
  }
}

/** The process made no progress and was ended: because of the media, or because the machine is overloaded. */
export class MediaStalledError extends MediaError {}

/** Whether ffmpeg itself has failed because of the media; a further attempt would fail in the same way. */
export function isMediaFailure(error: unknown): error is MediaError {
  return error instanceof MediaError && !(error instanceof MediaStalledError);
}

/** The process was ended from outside, for example by a shutdown of the machine, and not because of the media. */
export class MediaInterruptedError extends Error {}
