/** The file cannot be fetched in a later attempt either. `key` is the message for its owner. */
export class ImportRefusedError extends Error {
  override readonly name = 'ImportRefusedError';

  constructor(
    readonly key: string,
    detail: string,
  ) {
    super(detail);
  }
}

/** The transfer ended before the end of the file; a later attempt continues it. */
export class BrokenTransferError extends Error {
  override readonly name: string = 'BrokenTransferError';
  /** The message for its owner if no later attempt succeeds. */
  readonly key: string = 'content.failure.importBroken';
}

/** The server is unreachable, or responded with a temporary error. */
export class UnreachableServerError extends BrokenTransferError {
  override readonly name = 'UnreachableServerError';
  override readonly key = 'content.failure.importUnreachable';

  constructor(
    detail: string,
    /** The delay that the server requested with `Retry-After`. */
    readonly retryAfterMs = 0,
  ) {
    super(detail);
  }
}
