import type { InsertedMessage } from '../platform/errors.js';
import type { ContentState } from './content.model.js';

/** What an error says of a content that is not READY. */
export interface UnreadyContent {
  readonly state: ContentState;
  /** Of the reason that its owner reads. */
  readonly failureKey: string | null;
}

/** The message of such an error: `failed`, with the reason as `{{reason}}`, or `notReady`. */
export function unreadyMessage(
  { state, failureKey }: UnreadyContent,
  { notReady, failed }: { readonly notReady: string; readonly failed: string },
): InsertedMessage {
  if (state !== 'FAILED' || failureKey === null) return { key: notReady };
  return { key: failed, values: { reason: [{ key: failureKey }] } };
}
