import { createHash, type Hash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { Transform, type Readable } from 'node:stream';
import { withErrorListener } from '../../../shared/platform/errorListener.js';
import { MalformedRequestError } from '../../../shared/platform/errors.js';
import { ChecksumMismatchError } from '../../http/httpErrors.js';

/** Of the extension `checksum`, in the order of `Tus-Checksum-Algorithm`. */
export const checksumAlgorithms = ['sha256', 'sha1', 'md5'] as const;

interface Checksum {
  readonly hash: Hash;
  readonly digest: string;
}

/**
 * The body of a request, copied from it: the copy can end before the request does, and the connection stays open for the response.
 */
export class TusBody {
  readonly #request: IncomingMessage;
  readonly #checksum: Checksum | undefined;
  #copied: Transform | undefined;
  #failure: Error | undefined;
  #hasLeft = false;

  /** Throws MalformedRequestError if `Upload-Checksum` is malformed. */
  constructor(request: IncomingMessage) {
    this.#request = request;
    this.#checksum = checksumOf(request.headers['upload-checksum']);
  }

  /** Whether `verify` can throw. */
  get isChecked(): boolean {
    return this.#checksum !== undefined;
  }

  /** Begins to read. The stream fails with MalformedRequestError if the request is cut off, or has more than `maximumBytes`. */
  open(maximumBytes: number): Readable {
    let bytes = 0;
    const copied = withErrorListener(
      new Transform({
        transform: (chunk: Buffer, _encoding, done) => {
          bytes += chunk.length;
          if (bytes > maximumBytes) return done(new MalformedRequestError({ key: 'tus.beyondLength' }));
          this.#checksum?.hash.update(chunk);
          done(null, chunk);
        },
      }),
    );
    this.#copied = copied;
    const cut = (): void => {
      if (!this.#request.complete) this.fail(new MalformedRequestError({ key: 'upload.aborted' }));
    };
    this.#request.once('close', cut).once('error', cut);
    if (this.#request.destroyed) cut();
    if (this.#failure) copied.destroy(this.#failure);
    else if (this.#hasLeft) copied.end();
    else this.#request.pipe(copied);
    return copied;
  }

  fail(error: Error): void {
    this.#failure ??= error;
    this.#copied?.destroy(error);
  }

  /** Ends the body at its present position: the bytes that have arrived count. */
  leave(): void {
    this.#hasLeft = true;
    if (!this.#copied) return;
    this.#request.unpipe(this.#copied);
    this.#copied.end();
  }

  /** After the complete body was read. Throws ChecksumMismatchError. */
  verify(): void {
    if (this.#checksum && this.#checksum.hash.digest('base64') !== this.#checksum.digest)
      throw new ChecksumMismatchError();
  }
}

/** `Upload-Checksum`: algorithm and digest in Base64. */
function checksumOf(header: string | readonly string[] | undefined): Checksum | undefined {
  if (header === undefined) return undefined;
  const [, algorithm = '', digest = ''] = /^([a-z0-9]{1,20}) ([A-Za-z0-9+/]{1,200}={0,2})$/.exec(String(header)) ?? [];
  if (!checksumAlgorithms.some((known) => known === algorithm))
    throw new MalformedRequestError({
      key: 'tus.checksum',
      values: { algorithms: checksumAlgorithms.join(', ') },
    });
  return { hash: createHash(algorithm), digest };
}
