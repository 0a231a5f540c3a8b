/** Reason of a refused encoder, for the owner of the stream: `docs/contract.md#fields-refused-encoder`. */
export const refusalReasons = [
  'WRONG_LOGIN',
  'NO_LIVE_PASSWORD',
  'USER_DISABLED',
  'STREAMING_HOURS_USED_UP',
  'CAST_CHANNEL_PATH',
  'ALREADY_PUBLISHED',
  'UNSUPPORTED_CODEC',
  'SERVER_FULL',
] as const;
export type RefusalReason = (typeof refusalReasons)[number];

/** The last refused encoder of a stream; stored with the stream. */
export interface RefusedEncoder {
  readonly reason: RefusalReason;
  /** ISO 8601. */
  readonly at: string;
  readonly address: string | null;
  /** With `UNSUPPORTED_CODEC`. */
  readonly codec?: string;
}

/** Message key of the reason, for the owner; the encoder gets the English text. */
export function refusalMessageKey(reason: RefusalReason): string {
  return `streaming.refused.${reason}`;
}
