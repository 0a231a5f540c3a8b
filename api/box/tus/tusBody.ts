import { createHash, type Hash } from 'node:crypto';
import type { Readable } from 'node:stream';
import { MalformedRequestError } from '../../../shared/platform/errors.js';
import type { SentBody } from '../../../shared/upload/tus.driver.js';
import type { CopiedBody } from '../../http/copiedBody.js';
import { ChecksumMismatchError } from '../../http/httpErrors.js';

/** Algorithms of the extension `checksum`, in the order of `Tus-Checksum-Algorithm`. */
export const checksumAlgorithms = ['sha256', 'sha1', 'md5'] as const;

export interface Checksum {
  readonly hash: Hash;
  readonly digest: string;
}

/** The body of a request, checked against `Upload-Checksum` if the client has sent it. */
export function tusBody(copied: CopiedBody, checksum: Checksum | undefined): SentBody {
  return {
    isChecked: checksum !== undefined,
    open: (maxBytes): Readable =>
      copied.open((chunk, bytes) => {
        if (bytes > maxBytes) throw new MalformedRequestError({ key: 'tus.beyondLength' });
        checksum?.hash.update(chunk);
      }),
    verify() {
      if (checksum && checksum.hash.digest('base64') !== checksum.digest) throw new ChecksumMismatchError();
    },
  };
}

/** `Upload-Checksum`: algorithm and digest in Base64. Throws MalformedRequestError. */
export function readChecksum(header: string | readonly string[] | undefined): Checksum | undefined {
  if (header === undefined) return undefined;
  const [, algorithm = '', digest = ''] = /^([a-z0-9]{1,20}) ([A-Za-z0-9+/]{1,200}={0,2})$/.exec(String(header)) ?? [];
  if (!checksumAlgorithms.some((known) => known === algorithm))
    throw new MalformedRequestError({ key: 'tus.checksum', values: { algorithms: checksumAlgorithms.join(', ') } });
  return { hash: createHash(algorithm), digest };
}
