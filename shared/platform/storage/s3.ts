import { createReadStream, createWriteStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { GetObjectCommand } from '@aws-sdk/client-s3';
import { getSignedUrl } from '@aws-sdk/s3-request-presigner';
import type { Config } from '../config.js';
import { withErrorListener } from '../errorListener.js';
import { attachment } from '../formats/contentDisposition.js';
import type { Logger } from '../log.js';
import { checkByUse } from './checkByUse.js';
import { assertKey, folderOf } from './keys.js';
import { s3Arrivals } from './s3Arrivals.js';
import { openBucket, targetOf } from './s3Bucket.js';
import { copyObject, listObjects, putBuffer, putStream, readObject, statObject } from './s3Objects.js';
import { abortUnfinished, removeFolder, removeObjects } from './s3Removal.js';
import type { Storage } from './storage.js';
import { namingFullStorage } from './storageFull.js';

/**
 * Files in an S3 object store. Bodies are sent in parts of 8 MiB, so memory is bounded; an object appears when all its parts are
 * stored. Checksums are sent only if the protocol requires them: older stores reject others. Operations that some stores lack are
 * replaced or omitted (`optionalOperations.ts`).
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
      namingFullStorage(place, putStream(bucket, key, withErrorListener(createReadStream(path)), options)),
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
    removeAll: (prefix) => removeFolder(bucket, prefix),
    list: (prefix, after) => listObjects(bucket, folderOf(prefix), after),
    removeUnfinished: (before) => abortUnfinished(bucket, before),
    check: () => checkByUse(storage),
    arrivals: s3Arrivals(bucket),
  };
  return storage;
}
