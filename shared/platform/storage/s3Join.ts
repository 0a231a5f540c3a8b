import {
  AbortMultipartUploadCommand,
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  UploadPartCommand,
  UploadPartCopyCommand,
  type CompletedPart,
} from '@aws-sdk/client-s3';
import pLimit, { type LimitFunction } from 'p-limit';
import { targetOf, type Bucket } from './s3Bucket.js';
import { copySourceOf, putBuffer, readObject } from './s3Objects.js';

/** Minimum size of a part, except for the last one. */
export const smallestPartBytes = 5 * 1024 ** 2;
/** Maximum number of parts of an object, and maximum size of a copied part. */
export const partLimits = { count: 10_000, bytes: 5 * 1024 ** 3 };

interface StoredPiece {
  readonly key: string;
  readonly bytes: number;
}

/**
 * Target and slots of a join. `slot`: limits the parts in progress. `groupKey`: key of an intermediate object, which is removed
 * with the pieces.
 */
interface Join {
  readonly key: string;
  readonly contentType: string;
  readonly slot: LimitFunction;
  readonly groupKey: (index: number) => string;
}

/**
 * Joins objects into one, inside the store: a part of a multipart upload is a copy of an object. Consecutive short objects are
 * read and sent as one part. If there are more pieces than an object may have parts, groups of pieces are joined first. A store
 * that cannot copy parts receives longer ones instead. After a failed part, parts that have not started are skipped.
 */
export async function joinObjects(
  bucket: Bucket,
  pieces: readonly StoredPiece[],
  join: Join,
  limits = partLimits,
): Promise<void> {
  const parts = partsOf(pieces);
  if (parts.length <= limits.count) return joinParts(bucket, parts, join);
  const groups = groupsOf(parts, limits);
  const joined: StoredPiece[] = [];
  for (const [index, group] of groups.entries()) {
    // The first group reveals whether the store supports copies of parts.
    if (bucket.optional.isMissing('UploadPartCopy'))
      return joinParts(bucket, partsOf(pieces, Math.ceil(bytesOf(pieces) / limits.count)), join);
    const key = join.groupKey(index);
    await joinParts(bucket, group, { ...join, key });
    joined.push({ key, bytes: bytesOf(group.flat()) });
  }
  await joinParts(
    bucket,
    joined.map((one) => [one]),
    join,
  );
}

/**
 * Groups of parts; each group is joined into one object, which is then copied as one part. Groups are as large as the limits
 * permit.
 */
export function groupsOf(parts: readonly (readonly StoredPiece[])[], limits = partLimits): StoredPiece[][][] {
  const groups: StoredPiece[][][] = [];
  let groupBytes = 0;
  for (const part of parts) {
    const bytes = bytesOf(part);
    const last = groups.at(-1);
    if (last && last.length < limits.count && groupBytes + bytes <= limits.bytes) {
      last.push([...part]);
      groupBytes += bytes;
    } else {
      groups.push([[...part]]);
      groupBytes = bytes;
    }
  }
  return groups;
}

async function joinParts(
  bucket: Bucket,
  parts: readonly (readonly StoredPiece[])[],
  { key, contentType, slot }: Omit<Join, 'groupKey'>,
): Promise<void> {
  const [only] = parts;
  if (parts.length === 1 && only && bytesOf(only) < smallestPartBytes)
    return void (await putBuffer(bucket, key, await readTogether(bucket, only), { contentType }));
  const target = targetOf(bucket, key);
  const { UploadId } = await bucket.client.send(
    new CreateMultipartUploadCommand({ ...target, ContentType: contentType }),
  );
  const upload = { ...target, UploadId };
  const failed = new AbortController();
  // A file of thousands of parts shares the slots with other files.
  const waiting = pLimit(slot.concurrency);
  const stored = parts.map((part, index) =>
    waiting(() =>
      slot(async () => {
        failed.signal.throwIfAborted();
        return storePart(bucket, part, { ...upload, PartNumber: index + 1 });
      }),
    ).catch((error: unknown) => {
      failed.abort(error);
      throw error;
    }),
  );
  try {
    // A part still in progress during the abort might remain in the store.
    await Promise.allSettled(stored);
    const Parts = await Promise.all(stored);
    await bucket.client.send(new CompleteMultipartUploadCommand({ ...upload, MultipartUpload: { Parts } }));
  } catch (error) {
    await bucket.client.send(new AbortMultipartUploadCommand(upload)).catch(() => {});
    throw error;
  }
}

/** The pieces of each part: one of sufficient size, or several short ones. The last part may be short. */
export function partsOf(pieces: readonly StoredPiece[], minBytes = smallestPartBytes): StoredPiece[][] {
  const parts: StoredPiece[][] = [];
  const minPartBytes = Math.max(minBytes, smallestPartBytes);
  let partBytes = minPartBytes;
  for (const piece of pieces) {
    if (partBytes < minPartBytes) parts.at(-1)?.push(piece);
    else parts.push([piece]);
    partBytes = (partBytes < minPartBytes ? partBytes : 0) + piece.bytes;
  }
  return parts;
}

function bytesOf(pieces: readonly StoredPiece[]): number {
  return pieces.reduce((sum, { bytes }) => sum + bytes, 0);
}

async function storePart(
  bucket: Bucket,
  pieces: readonly StoredPiece[],
  part: {
    readonly Bucket: string;
    readonly Key: string;
    readonly UploadId: string | undefined;
    readonly PartNumber: number;
  },
): Promise<CompletedPart> {
  const { PartNumber } = part;
  const sent = async (): Promise<CompletedPart> => {
    const Body = await readTogether(bucket, pieces);
    const { ETag } = await bucket.client.send(new UploadPartCommand({ ...part, Body }));
    return { ETag, PartNumber };
  };
  const [only] = pieces;
  if (pieces.length !== 1 || !only) return sent();
  return bucket.optional.run(
    'UploadPartCopy',
    async (): Promise<CompletedPart> => {
      const { CopyPartResult } = await bucket.client.send(
        new UploadPartCopyCommand({ ...part, CopySource: copySourceOf(bucket, only.key) }),
      );
      return { ETag: CopyPartResult?.ETag, PartNumber };
    },
    sent,
  );
}

async function readTogether(bucket: Bucket, pieces: readonly StoredPiece[]): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for (const { key } of pieces)
    for await (const chunk of (await readObject(bucket, key)) as AsyncIterable<Buffer>) chunks.push(chunk);
  return Buffer.concat(chunks);
}
