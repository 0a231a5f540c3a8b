/** One input or output of ffmpeg: its options, and a path (relative ones are within the command's folder). */
export interface MediaFile {
  readonly path: string;
  readonly options: readonly string[];
}

/** One ffmpeg process, as argument lists: nothing in it ever passes through a shell. */
export interface MediaCommand {
  /** Working folder: outputs are named relative to it, so that no path can be taken for a pattern. */
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
  /** Ends the process, gently and then by force. */
  readonly signal: AbortSignal;
  /** Without a sign of life for this long the process is ended, and the run has failed. */
  readonly stallSeconds: number;
}

/** How the service runs ffmpeg and ffprobe. A run that resolves or rejects has left no process behind. */
export interface MediaRunner {
  /** Rejects with MediaError, or with the signal's reason where it was aborted. */
  convert(
    command: MediaCommand,
    run: MediaRun & { readonly onProgress?: (progress: MediaProgress) => void },
  ): Promise<void>;
  /** Runs ffprobe; each line of its answer goes to `onLine`. Rejects as `convert` does, and with what `onLine` throws. */
  inspect(options: readonly string[], run: MediaRun & { readonly onLine: (line: string) => void }): Promise<void>;
}

/** The tool could not do it: most likely the media is at fault. `detail` ends with what the tool said. */
export class MediaError extends Error {}

/** The tool did not get on and was ended: perhaps the media are at fault, perhaps the machine is overloaded. */
export class MediaStalledError extends MediaError {}

/** Whether the tool itself has said no to the media, as it will at every further attempt. */
export function isRefusal(error: unknown): error is MediaError {
  return error instanceof MediaError && !(error instanceof MediaStalledError);
}

/** The tool was ended by somebody else, as a stopping machine ends all its processes: no fault of the media. */
export class MediaInterruptedError extends Error {}
