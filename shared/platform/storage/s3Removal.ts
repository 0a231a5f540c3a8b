import {
  AbortMultipartUploadCommand,
  DeleteObjectCommand,
  DeleteObjectsCommand,
  ListMultipartUploadsCommand,
} from '@aws-sdk/client-s3';
import pLimit from 'p-limit';
import { allEnded } from '../allEnded.js';
import { assertKey, folderOf } from './keys.js';
import type { ObjectTarget } from './multipart.js';
import { isObjectAbsent, targetOf, type Bucket } from './s3Bucket.js';
import { listObjects } from './s3Objects.js';

/** Limit of one DeleteObjects request. */
const removalBatchSize = 1000;
/** Parallel requests if the store does not support DeleteObjects. */
const deletesAtOnce = 8;

export async function removeFolder(bucket: Bucket, prefix: string): Promise<void> {
  const keys: string[] = [];
  for await (const { key } of listObjects(bucket, folderOf(assertKey(prefix.replace(/\/$/, ''))))) {
    keys.push(key);
    if (keys.length === removalBatchSize) await removeObjects(bucket, keys.splice(0));
  }
  await removeObjects(bucket, keys);
}

/** Missing objects are ignored. */
export async function removeObjects(bucket: Bucket, keys: readonly string[]): Promise<void> {
  for (let start = 0; start < keys.length; start += removalBatchSize) {
    const batch = keys.slice(start, start + removalBatchSize).map((key) => targetOf(bucket, key));
    await bucket.optional.run(
      'DeleteObjects',
      () => removeTogether(bucket, batch),
      () => removeEach(bucket, batch),
    );
  }
}

async function removeTogether({ client, name }: Bucket, batch: readonly ObjectTarget[]): Promise<void> {
  const Objects = batch.map(({ Key }) => ({ Key }));
  const { Errors: errors } = await client.send(
    new DeleteObjectsCommand({ Bucket: name, Delete: { Objects, Quiet: true } }),
  );
  const failed = errors?.[0];
  if (failed) throw new Error(`the object store did not delete ${failed.Key}: ${failed.Code} ${failed.Message}`);
}

async function removeEach({ client }: Bucket, batch: readonly ObjectTarget[]): Promise<void> {
  const limit = pLimit(deletesAtOnce);
  const removals = batch.map((object) =>
    limit(async () => {
      await client.send(new DeleteObjectCommand(object)).catch((error: unknown) => {
        if (!isObjectAbsent(error)) throw error;
      });
    }),
  );
  await allEnded(removals);
}

/** Aborts multipart uploads that began before a time. Resolves with their number; 0 if the store cannot list them. */
export function abortUnfinished(bucket: Bucket, before: Date): Promise<number> {
  return bucket.optional.run(
    'ListMultipartUploads',
    () => abortListed(bucket, before),
    async () => 0,
  );
}

async function abortListed(bucket: Bucket, before: Date): Promise<number> {
  let removed = 0;
  let position: { KeyMarker?: string; UploadIdMarker?: string } = {};
  for (let more = true; more;) {
    const page = await bucket.client.send(
      new ListMultipartUploadsCommand({ Bucket: bucket.name, Prefix: bucket.prefix, ...position }),
    );
    for (const { Key, UploadId, Initiated } of page.Uploads ?? []) {
      if (Initiated && Initiated >= before) continue;
      await bucket.client.send(new AbortMultipartUploadCommand({ Bucket: bucket.name, Key, UploadId }));
      removed += 1;
    }
    more = page.IsTruncated === true;
    position = { KeyMarker: page.NextKeyMarker ?? '', UploadIdMarker: page.NextUploadIdMarker ?? '' };
  }
  return removed;
}
