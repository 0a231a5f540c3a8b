/** Message keys of what can be wrong with an uploaded file; `shared/content/content.messages.ts`. */
export type MediaFaultKey =
  | 'content.failure.empty'
  | 'content.failure.unsupported'
  | 'content.failure.unreadable'
  | 'content.failure.nothingToPlay'
  | 'content.failure.tooLong'
  | 'content.failure.tooManyPixels'
  | 'content.failure.tooManyStreams';

/** The uploaded file is at fault, and will be at every further attempt. `key` tells the owner, `message` the log. */
export class MediaFault extends Error {
  readonly key: MediaFaultKey;

  constructor(key: MediaFaultKey, detail: string) {
    super(detail);
    this.key = key;
  }
}
