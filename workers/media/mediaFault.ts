/** Message keys of the reasons why an uploaded file cannot be processed; `shared/content/content.messages.ts`. */
export type MediaFaultKey =
  | 'content.failure.empty'
  | 'content.failure.unsupported'
  | 'content.failure.unreadable'
  | 'content.failure.nothingToPlay'
  | 'content.failure.tooLong'
  | 'content.failure.tooManyPixels'
  | 'content.failure.tooManyStreams'
  | 'content.failure.mediaMinutes';

/**
 * The uploaded file cannot be processed; a further attempt would fail in the same way. `key` is for the owner, `message` for the
 * log.
 */
export class MediaFault extends Error {
  readonly key: MediaFaultKey;

  constructor(key: MediaFaultKey, detail: string) {
    super(detail);
    this.key = key;
  }
}
