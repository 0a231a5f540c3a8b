/** Every outcome of playing is 200, and `result` says which; `docs/contract.md#choices-playback`. */
export type PlayOutcome = 'PLAY' | 'PAYMENT_REQUIRED' | 'SUBSCRIPTION_REQUIRED' | 'BAND_LIMIT_EXCEEDED' | 'MESSAGE';

interface PlaySource {
  readonly mimeType: string;
  readonly streamer: string;
  readonly uniqueStreamer: string;
}

/** Play result of `docs/contract.md#fields-play-result`, without the `resource` that the route adds. */
export interface PlayResult {
  readonly result: PlayOutcome;
  /** Localized; with `MESSAGE` alone. */
  readonly message?: string;
  /** HLS first. Empty, like the strings below, where the result is not `PLAY`. */
  readonly srcs: readonly PlaySource[];
  /** The first source again. */
  readonly mimeType: string;
  /** Path of the stream below its grant. */
  readonly file: string;
  readonly streamer: string;
  readonly uniqueStreamer: string;
}

/** A result that plays nothing. */
export function refusal(result: Exclude<PlayOutcome, 'PLAY'>, message?: string): PlayResult {
  const words = message === undefined ? {} : { message };
  return { result, ...words, srcs: [], mimeType: '', file: '', streamer: '', uniqueStreamer: '' };
}
