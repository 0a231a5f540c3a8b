/** The outcome of a play request, whose status is always 200; `docs/contract.md#choices-playback`. */
export type PlayOutcome = 'PLAY' | 'PAYMENT_REQUIRED' | 'SUBSCRIPTION_REQUIRED' | 'BAND_LIMIT_EXCEEDED' | 'MESSAGE';

export const hlsMimeType = 'application/x-mpegurl';

export interface PlaySource {
  readonly mimeType: string;
  readonly streamer: string;
  readonly uniqueStreamer: string;
  /** Of an RTMP entry alone: the name of the stream at the server that `streamer` names. */
  readonly file?: string;
}

/** Play result of `docs/contract.md#fields-play-result`. The route adds `resource`. */
export interface PlayResult {
  readonly result: PlayOutcome;
  /** Localized. Only with `MESSAGE`. */
  readonly message?: string;
  /** HLS first. Empty, like the strings below, if the result is not `PLAY`. */
  readonly srcs: readonly PlaySource[];
  /** Those of the first source. */
  readonly mimeType: string;
  /** Path of the master playlist below the grant. */
  readonly file: string;
  readonly streamer: string;
  readonly uniqueStreamer: string;
  /** Address of the track of the pictures over the seek bar (WebVTT). Absent where there is none, and for a preview. */
  readonly storyboard?: string;
  /** The same of the chapters. */
  readonly chapters?: string;
}

/** A result without anything to play. */
export function blockedPlay(result: Exclude<PlayOutcome, 'PLAY'>, message?: string): PlayResult {
  const localized = message === undefined ? {} : { message };
  return { result, ...localized, srcs: [], mimeType: '', file: '', streamer: '', uniqueStreamer: '' };
}
