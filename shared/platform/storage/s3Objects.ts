import type { Readable } from 'node:stream';
import {
  CopyObjectCommand,
  GetObjectCommand,
  HeadObjectCommand,
  PutObjectCommand,
  paginateListObjectsV2,
} from '@aws-sdk/client-s3';
import { NotFoundError, RangeNotSatisfiableError } from '../errors.js';
import { withErrorListener } from '../errorListener.js';
import { putInParts } from './multipart.js';
import { isObjectAbsent, targetOf, type Bucket } from './s3Bucket.js';
import type { ByteRange, PutOptions, StoredFile } from './storage.js';

export async function putBuffer(
  bucket: Bucket,
  key: string,
  body: Buffer,
  options: PutOptions,
): Promise<{ bytes: number }> {
  const put = new PutObjectCommand({ ...targetOf(bucket, key), Body: body, ContentType: options.contentType });
  await untilAborted(options.signal, (request) => bucket.client.send(put, request));
  return { bytes: body.length };
}

/** An abort destroys the body with an error, which ends the upload. */
export async function putStream(
  bucket: Bucket,
  key: string,
  body: Readable,
  options: PutOptions,
): Promise<{ bytes: number }> {
  const { signal } = options;
  signal?.throwIfAborted();
  const end = (): void => void body.destroy(signal?.reason as Error);
  signal?.addEventListener('abort', end, { once: true });
  try {
    const bytes = await putInParts(bucket.client, targetOf(bucket, key), body, options);
    signal?.throwIfAborted();
    return { bytes };
  } finally {
    signal?.removeEventListener('abort', end);
  }
}

/** The value of the `CopySource` header for an object. */
export function copySourceOf(bucket: Bucket, key: string): string {
  const { Bucket: name, Key } = targetOf(bucket, key);
  return `${name}/${Key.split('/').map(encodeURIComponent).join('/')}`;
}

/** Copies an object inside the store; at most 5 GB, which no segment exceeds. */
export async function copyObject(bucket: Bucket, fromKey: string, toKey: string, options: PutOptions): Promise<void> {
  const { contentType: ContentType } = options;
  const copied = {
    ...{ ...targetOf(bucket, toKey), CopySource: copySourceOf(bucket, fromKey) },
    ...{ ContentType, MetadataDirective: 'REPLACE' as const },
  };
  try {
    await bucket.optional.run(
      'CopyObject',
      () => untilAborted(options.signal, (request) => bucket.client.send(new CopyObjectCommand(copied), request)),
      async () => void (await putStream(bucket, toKey, await readObject(bucket, fromKey), options)),
    );
  } catch (error) {
    if (isObjectAbsent(error)) throw new NotFoundError({ detail: `no stored object ${fromKey}` });
    throw error;
  }
}

/**
 * Sends a request, and rejects with the reason of the signal if it aborts. The store may still carry the request out. The object
 * is not removed then, because another process may have stored it under the same key meanwhile.
 */
async function untilAborted(
  signal: AbortSignal | undefined,
  send: (request: { abortSignal?: AbortSignal }) => Promise<unknown>,
): Promise<void> {
  signal?.throwIfAborted();
  try {
    await send(signal ? { abortSignal: signal } : {});
  } catch (error) {
    signal?.throwIfAborted();
    throw error;
  }
  signal?.throwIfAborted();
}

export async function statObject(bucket: Bucket, key: string): Promise<StoredFile | null> {
  try {
    const head = await bucket.client.send(new HeadObjectCommand(targetOf(bucket, key)));
    return storedFile(key, { Size: head.ContentLength, LastModified: head.LastModified, ETag: head.ETag });
  } catch (error) {
    if (isObjectAbsent(error)) return null;
    throw error;
  }
}

export async function readObject(
  bucket: Bucket,
  key: string,
  range?: ByteRange,
  signal?: AbortSignal,
): Promise<Readable> {
  const Range = range ? `bytes=${range.start}-${range.end}` : undefined;
  try {
    const response = await bucket.client.send(
      new GetObjectCommand({ ...targetOf(bucket, key), ...(Range ? { Range } : {}) }),
      signal ? { abortSignal: signal } : {},
    );
    return withErrorListener(response.Body as Readable);
  } catch (error) {
    if (isObjectAbsent(error)) throw new NotFoundError({ detail: `no stored object ${key}` });
    if ((error as Error).name !== 'InvalidRange') throw error;
    throw new RangeNotSatisfiableError((await statObject(bucket, key))?.bytes ?? 0);
  }
}

export async function* listObjects(bucket: Bucket, folder: string, after?: string): AsyncGenerator<StoredFile> {
  const start = after === undefined ? {} : { StartAfter: bucket.prefix + after };
  for await (const page of paginateListObjectsV2(
    { client: bucket.client },
    { Bucket: bucket.name, Prefix: bucket.prefix + folder, ...start },
  )) {
    for (const object of page.Contents ?? []) yield storedFile((object.Key ?? '').slice(bucket.prefix.length), object);
  }
}

function storedFile(
  key: string,
  object: { Size?: number | undefined; LastModified?: Date | undefined; ETag?: string | undefined },
): StoredFile {
  return { key, bytes: object.Size ?? 0, modifiedAt: object.LastModified ?? new Date(0), etag: object.ETag ?? '""' };
}
