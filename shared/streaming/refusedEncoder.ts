/** Why an encoder was refused, as the owner of the stream reads it: `docs/contract.md#fields-refused-encoder`. */
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

/** The last encoder of a stream that was refused; stored with the stream. */
export interface RefusedEncoder {
  readonly reason: RefusalReason;
  /** ISO 8601. */
  readonly at: string;
  readonly address: string | null;
  /** With `UNSUPPORTED_CODEC`. */
  readonly codec?: string;
}

/** The key of the message for the owner; English goes to the encoder too. */
export function refusalMessageKey(reason: RefusalReason): string {
  return `streaming.refused.${reason}`;
}
