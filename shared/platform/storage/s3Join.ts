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

/** The least of a part that is not the last one. */
export const smallestPartBytes = 5 * 1024 ** 2;

interface StoredPiece {
  readonly key: string;
  readonly bytes: number;
}

/**
 * Joins objects to one, inside the store: a part of a multipart upload is a copy of an object. Short objects that follow each other are
 * read, and sent as one part. `turn`: for each part. Where one fails, those that have not begun are left out.
 */
export async function joinObjects(
  bucket: Bucket,
  pieces: readonly StoredPiece[],
  key: string,
  contentType: string,
  turn: LimitFunction,
): Promise<void> {
  const parts = partsOf(pieces);
  const [only] = parts;
  if (parts.length === 1 && only && bytesOf(only) < smallestPartBytes)
    return void (await putBuffer(bucket, key, await readTogether(bucket, only), { contentType }));
  const target = targetOf(bucket, key);
  const { UploadId } = await bucket.client.send(
    new CreateMultipartUploadCommand({ ...target, ContentType: contentType }),
  );
  const upload = { ...target, UploadId };
  const failed = new AbortController();
  // A file of thousands of parts lets others take their turns between them.
  const waiting = pLimit(turn.concurrency);
  const stored = parts.map((part, index) =>
    waiting(() =>
      turn(async () => {
        failed.signal.throwIfAborted();
        return storePart(bucket, part, { ...upload, PartNumber: index + 1 });
      }),
    ).catch((error: unknown) => {
      failed.abort(error);
      throw error;
    }),
  );
  try {
    // A part that is still being stored when the upload is aborted could stay.
    await Promise.allSettled(stored);
    const Parts = await Promise.all(stored);
    await bucket.client.send(new CompleteMultipartUploadCommand({ ...upload, MultipartUpload: { Parts } }));
  } catch (error) {
    await bucket.client.send(new AbortMultipartUploadCommand(upload)).catch(() => {});
    throw error;
  }
}

/** The pieces of each part: one that is long enough, or several short ones. The last part may be short. */
function partsOf(pieces: readonly StoredPiece[]): StoredPiece[][] {
  const parts: StoredPiece[][] = [];
  for (const piece of pieces) {
    const last = parts.at(-1);
    if (last && bytesOf(last) < smallestPartBytes) last.push(piece);
    else parts.push([piece]);
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
