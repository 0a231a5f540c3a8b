/** No later attempt can fetch the file. `key` is the message for its owner. */
export class ImportRefusedError extends Error {
  override readonly name = 'ImportRefusedError';

  constructor(
    readonly key: string,
    detail: string,
  ) {
    super(detail);
  }
}

/** The transfer has ended before the file has; a later attempt continues. */
export class BrokenTransferError extends Error {
  override readonly name: string = 'BrokenTransferError';
  /** The message for its owner if no later attempt succeeds. */
  readonly key: string = 'content.failure.importBroken';
}

/** The server was not reached, or could not respond. */
export class UnreachableServerError extends BrokenTransferError {
  override readonly name = 'UnreachableServerError';
  override readonly key = 'content.failure.importUnreachable';

  constructor(
    detail: string,
    /** How long the server asks its clients to wait. */
    readonly retryAfterMs = 0,
  ) {
    super(detail);
  }
}
