/** No later attempt can fetch the file. `key`: the message for its owner. */
export class ImportRefusedError extends Error {
  override readonly name = 'ImportRefusedError';

  constructor(
    readonly key: string,
    detail: string,
  ) {
    super(detail);
  }
}

/** The transfer has ended before the file has; a later attempt goes on. */
export class BrokenTransferError extends Error {
  override readonly name = 'BrokenTransferError';
}
