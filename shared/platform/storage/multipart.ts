import type { Readable } from 'node:stream';
import type { S3Client } from '@aws-sdk/client-s3';
import { Upload } from '@aws-sdk/lib-storage';
import type { PutOptions } from './storage.js';

const usualPartBytes = 8 * 1024 ** 2;
/** Less than the limit of 10,000 parts per object: a form is slightly longer than its file. */
const partsOfBody = 9_000;
/** Together with the part being filled, this bounds the memory of a put. */
const concurrentParts = 2;

export interface ObjectTarget {
  readonly Bucket: string;
  readonly Key: string;
}

/** Part size for a body of at most `maxBytes`. */
export function partBytesOf(maxBytes: number): number {
  return Math.max(usualPartBytes, Math.ceil(maxBytes / partsOfBody));
}

/**
 * Streams a body into an object: in one request if it fits into one part, otherwise as a multipart upload. Resolves with its size
 * in bytes. If the store or the body fails, rejects after the parts in progress have ended and the upload has been aborted; an
 * upload that could not be aborted is left to `removeUnfinished`. To cancel, destroy the body with an error: `Upload.abort` would
 * reject at once and leave parts behind.
 */
export async function putInParts(
  client: S3Client,
  target: ObjectTarget,
  body: Readable,
  { contentType, maxBytes = 0 }: Pick<PutOptions, 'contentType' | 'maxBytes'>,
): Promise<number> {
  const upload = new Upload({
    client,
    params: { ...target, Body: body, ContentType: contentType },
    partSize: partBytesOf(maxBytes),
    queueSize: concurrentParts,
  });
  let bytes = 0;
  upload.on('httpUploadProgress', ({ loaded = 0 }) => (bytes = loaded));
  try {
    await upload.done();
    return bytes;
  } finally {
    body.destroy();
  }
}
