import type { InsertedMessage } from '../platform/errors.js';
import type { ContentState } from './content.model.js';

/** State and failure of a content that is not READY, for an error message. */
export interface UnreadyContent {
  readonly state: ContentState;
  /** Message key of the failure's reason. */
  readonly failureKey: string | null;
}

/** The error message: `failed`, with the reason as `{{reason}}`, or `notReady`. */
export function unreadyMessage(
  { state, failureKey }: UnreadyContent,
  { notReady, failed }: { readonly notReady: string; readonly failed: string },
): InsertedMessage {
  if (state !== 'FAILED' || failureKey === null) return { key: notReady };
  return { key: failed, values: { reason: [{ key: failureKey }] } };
}
