/** The outcome of a play request, whose status is always 200; `docs/contract.md#choices-playback`. */
export type PlayOutcome = 'PLAY' | 'PAYMENT_REQUIRED' | 'SUBSCRIPTION_REQUIRED' | 'BAND_LIMIT_EXCEEDED' | 'MESSAGE';

export const hlsMimeType = 'application/x-mpegurl';

export interface PlaySource {
  readonly mimeType: string;
  readonly streamer: string;
  readonly uniqueStreamer: string;
  /** Only in RTMP entries: the stream name on the server of `streamer`. */
  readonly file?: string;
}

/** Play result of `docs/contract.md#fields-play-result`. The route adds `resource`. */
export interface PlayResult {
  readonly result: PlayOutcome;
  /** Localized. Only with `MESSAGE`. */
  readonly message?: string;
  /** HLS first. Empty, like the strings below, if the result is not `PLAY`. */
  readonly srcs: readonly PlaySource[];
  /** This and the following addresses are those of the first source. */
  readonly mimeType: string;
  /** Path of the master playlist below the grant. */
  readonly file: string;
  readonly streamer: string;
  readonly uniqueStreamer: string;
  /** Address of the storyboard track (WebVTT). Absent if there is none, and for a preview. */
  readonly storyboard?: string;
  /** Address of the chapter track (WebVTT). Absent if there is none, and for a preview. */
  readonly chapters?: string;
}

/** A result without sources. */
export function blockedPlay(result: Exclude<PlayOutcome, 'PLAY'>, message?: string): PlayResult {
  const localized = message === undefined ? {} : { message };
  return { result, ...localized, srcs: [], mimeType: '', file: '', streamer: '', uniqueStreamer: '' };
}
