import { createReadStream, createWriteStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import {
  CopyObjectCommand,
  GetObjectCommand,
  HeadObjectCommand,
  PutObjectCommand,
  paginateListObjectsV2,
} from '@aws-sdk/client-s3';
import { getSignedUrl } from '@aws-sdk/s3-request-presigner';
import type { Config } from '../config.js';
import { attachment } from '../formats/contentDisposition.js';
import type { Logger } from '../log.js';
import { NotFoundError, RangeNotSatisfiableError } from '../errors.js';
import { checkByUse } from './checkByUse.js';
import { assertKey, folderOf } from './keys.js';
import { putInParts } from './multipart.js';
import { isAbsent, openBucket, targetOf, type Bucket } from './s3Bucket.js';
import { abortUnfinished, removalBatchSize, removeObjects } from './s3Removal.js';
import type { ByteRange, PutOptions, Storage, StoredFile } from './storage.js';
import { namingFullStorage } from './storageFull.js';

/**
 * Files in an S3 object store. Bodies are sent in parts of 8 MiB, so memory is bounded; an object appears when all its
 * parts are stored. Checksums are sent only where the protocol requires them: older stores reject others. What some stores lack is
 * done in another way, or left (`optionalOperations.ts`).
 */
export function openS3Storage(settings: NonNullable<Config['s3']>, log: Pick<Logger, 'warn'>): Storage {
  const bucket = openBucket(settings, log);
  const place = `the bucket ${bucket.name}`;
  const storage: Storage = {
    put: async (key, body, options) =>
      namingFullStorage(
        place,
        Buffer.isBuffer(body) ? putBuffer(bucket, key, body, options) : putStream(bucket, key, body, options),
      ),
    putFile: async (key, path, options) =>
      namingFullStorage(place, putStream(bucket, key, createReadStream(path), options)),
    copy: async (fromKey, toKey, options) => namingFullStorage(place, copyObject(bucket, fromKey, toKey, options)),
    stat: (key) => statObject(bucket, key),
    read: (key, range) => readObject(bucket, key, range),
    async fetch(key, path, signal) {
      const body = await readObject(bucket, key, undefined, signal);
      try {
        await namingFullStorage(dirname(path), pipeline(body, createWriteStream(path), signal ? { signal } : {}));
      } catch (error) {
        await rm(path, { force: true });
        throw error;
      }
    },
    localPath: (key) => (assertKey(key), null),
    presign: async (key, options) =>
      getSignedUrl(
        bucket.client,
        new GetObjectCommand({
          ...targetOf(bucket, key),
          ...(options.contentType ? { ResponseContentType: options.contentType } : {}),
          ...(options.fileName ? { ResponseContentDisposition: attachment(options.fileName) } : {}),
        }),
        { expiresIn: options.expiresSeconds },
      ),
    remove: (keys) => removeObjects(bucket, keys),
    async removeAll(prefix) {
      const keys: string[] = [];
      for await (const { key } of listObjects(bucket, folderOf(assertKey(prefix.replace(/\/$/, ''))))) {
        keys.push(key);
        if (keys.length === removalBatchSize) await removeObjects(bucket, keys.splice(0));
      }
      await removeObjects(bucket, keys);
    },
    list: (prefix) => listObjects(bucket, folderOf(prefix)),
    removeUnfinished: (before) => abortUnfinished(bucket, before),
    check: () => checkByUse(storage),
  };
  return storage;
}

async function putBuffer(bucket: Bucket, key: string, body: Buffer, options: PutOptions): Promise<{ bytes: number }> {
  const put = new PutObjectCommand({ ...targetOf(bucket, key), Body: body, ContentType: options.contentType });
  await untilAborted(options.signal, (request) => bucket.client.send(put, request));
  return { bytes: body.length };
}

/** An abort destroys the body with an error, which ends the upload. */
async function putStream(bucket: Bucket, key: string, body: Readable, options: PutOptions): Promise<{ bytes: number }> {
  const { signal } = options;
  signal?.throwIfAborted();
  const end = (): void => void body.destroy(signal?.reason as Error);
  signal?.addEventListener('abort', end, { once: true });
  try {
    const bytes = await putInParts(bucket.client, targetOf(bucket, key), body, options.contentType);
    signal?.throwIfAborted();
    return { bytes };
  } finally {
    signal?.removeEventListener('abort', end);
  }
}

/** The store copies it; at most 5 GB, which no segment has. */
async function copyObject(bucket: Bucket, fromKey: string, toKey: string, options: PutOptions): Promise<void> {
  const { Bucket: name, Key: key } = targetOf(bucket, fromKey);
  const source = `${name}/${key.split('/').map(encodeURIComponent).join('/')}`;
  const { contentType: ContentType } = options;
  const copied = { ...targetOf(bucket, toKey), CopySource: source, ContentType, MetadataDirective: 'REPLACE' as const };
  try {
    await bucket.optional.run(
      'CopyObject',
      () => untilAborted(options.signal, (request) => bucket.client.send(new CopyObjectCommand(copied), request)),
      async () => void (await putStream(bucket, toKey, await readObject(bucket, fromKey), options)),
    );
  } catch (error) {
    if (isAbsent(error)) throw new NotFoundError({ detail: `no stored object ${fromKey}` });
    throw error;
  }
}

/**
 * Sends a request, and rejects with the reason of the signal where it aborts. The store may carry out a request all the same. The
 * object is not removed then: it may be one that another process has stored under the same key meanwhile.
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

async function statObject(bucket: Bucket, key: string): Promise<StoredFile | null> {
  try {
    const head = await bucket.client.send(new HeadObjectCommand(targetOf(bucket, key)));
    return storedFile(key, { Size: head.ContentLength, LastModified: head.LastModified, ETag: head.ETag });
  } catch (error) {
    if (isAbsent(error)) return null;
    throw error;
  }
}

async function readObject(bucket: Bucket, key: string, range?: ByteRange, signal?: AbortSignal): Promise<Readable> {
  const Range = range ? `bytes=${range.start}-${range.end}` : undefined;
  try {
    const response = await bucket.client.send(
      new GetObjectCommand({ ...targetOf(bucket, key), ...(Range ? { Range } : {}) }),
      signal ? { abortSignal: signal } : {},
    );
    return response.Body as Readable;
  } catch (error) {
    if (isAbsent(error)) throw new NotFoundError({ detail: `no stored object ${key}` });
    if ((error as Error).name !== 'InvalidRange') throw error;
    throw new RangeNotSatisfiableError((await statObject(bucket, key))?.bytes ?? 0);
  }
}

async function* listObjects(bucket: Bucket, folder: string): AsyncGenerator<StoredFile> {
  for await (const page of paginateListObjectsV2(
    { client: bucket.client },
    { Bucket: bucket.name, Prefix: bucket.prefix + folder },
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
