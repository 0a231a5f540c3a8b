import type { Readable } from 'node:stream';
import {
  AbortMultipartUploadCommand,
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  PutObjectCommand,
  UploadPartCommand,
  type CompletedPart,
  type S3Client,
} from '@aws-sdk/client-s3';

const partBytes = 8 * 1024 ** 2;
/** The most that a put holds in memory is these and the one that is filling, in buffers used again and again. */
const partsInFlight = 2;

export interface ObjectTarget {
  readonly Bucket: string;
  readonly Key: string;
}

/**
 * Streams a body into an object: in one request where it is smaller than a part, else as a multipart upload. Resolves
 * with its size. When anything fails, the body's own end included, it rejects after the parts under way have come to
 * rest and the upload has been taken back. (The client library's `Upload` rejects at once and cleans up behind the
 * caller's back, and makes new buffers for every part: garbage of a hundred megabytes beside the body.)
 */
export async function putInParts(
  client: S3Client,
  target: ObjectTarget,
  body: Readable,
  contentType: string,
): Promise<number> {
  const upload = new MultipartUpload(client, target, contentType);
  let bytes = 0;
  try {
    for await (const part of partsOf(body, upload.free)) {
      bytes += part.length;
      if (part.length < partBytes && !upload.isBegun) {
        await client.send(new PutObjectCommand({ ...target, Body: part, ContentType: contentType }));
        return bytes;
      }
      await upload.send(part, (error) => void body.destroy(error));
    }
    await upload.complete();
    return bytes;
  } catch (error) {
    body.destroy();
    // What cannot be taken back now is found by `removeUnfinished`; the caller is told what came first.
    await upload.takeBack().catch(() => {});
    throw error;
  }
}

/** Parts of equal size, but for the last one; an empty body is one empty part. Each fills a buffer of its own. */
async function* partsOf(body: Readable, free: Buffer[]): AsyncGenerator<Buffer> {
  let buffer = free.pop() ?? Buffer.allocUnsafeSlow(partBytes);
  let filled = 0;
  let isFirst = true;
  for await (const given of body as AsyncIterable<Buffer | Uint8Array | string>) {
    const chunk = Buffer.isBuffer(given) ? given : Buffer.from(given as Uint8Array);
    for (let taken = 0; taken < chunk.length;) {
      const copied = chunk.copy(buffer, filled, taken);
      taken += copied;
      filled += copied;
      if (filled < partBytes) continue;
      yield buffer;
      isFirst = false;
      buffer = free.pop() ?? Buffer.allocUnsafeSlow(partBytes);
      filled = 0;
    }
  }
  if (filled > 0 || isFirst) yield buffer.subarray(0, filled);
}

class MultipartUpload {
  /** Buffers whose part has arrived. */
  readonly free: Buffer[] = [];
  readonly #client: S3Client;
  readonly #target: ObjectTarget;
  readonly #contentType: string;
  readonly #underWay = new Set<Promise<void>>();
  readonly #parts: CompletedPart[] = [];
  #uploadId: string | undefined;
  #sent = 0;
  #failure: Error | undefined;

  constructor(client: S3Client, target: ObjectTarget, contentType: string) {
    this.#client = client;
    this.#target = target;
    this.#contentType = contentType;
  }

  get isBegun(): boolean {
    return this.#uploadId !== undefined;
  }

  /** Sends a part; resolves when there is room for the next. `onFailure` is told of a part that fails later. */
  async send(part: Buffer, onFailure: (error: Error) => void): Promise<void> {
    this.#uploadId ??= await this.#begin();
    this.#sent += 1;
    const sending = this.#sendPart(part, this.#sent)
      .catch((error: Error) => {
        this.#failure ??= error;
        onFailure(error);
      })
      .finally(() => this.#underWay.delete(sending));
    this.#underWay.add(sending);
    if (this.#underWay.size >= partsInFlight) await Promise.race(this.#underWay);
    if (this.#failure) throw this.#failure;
  }

  async complete(): Promise<void> {
    await Promise.all(this.#underWay);
    if (this.#failure) throw this.#failure;
    const Parts = this.#parts.toSorted((left, right) => (left.PartNumber ?? 0) - (right.PartNumber ?? 0));
    await this.#client.send(
      new CompleteMultipartUploadCommand({ ...this.#target, UploadId: this.#uploadId, MultipartUpload: { Parts } }),
    );
  }

  async takeBack(): Promise<void> {
    await Promise.all(this.#underWay);
    if (this.#uploadId === undefined) return;
    await this.#client.send(new AbortMultipartUploadCommand({ ...this.#target, UploadId: this.#uploadId }));
  }

  async #begin(): Promise<string> {
    const { UploadId } = await this.#client.send(
      new CreateMultipartUploadCommand({ ...this.#target, ContentType: this.#contentType }),
    );
    if (!UploadId) throw new Error('the object store began no upload');
    return UploadId;
  }

  async #sendPart(part: Buffer, PartNumber: number): Promise<void> {
    const response = await this.#client.send(
      new UploadPartCommand({ ...this.#target, UploadId: this.#uploadId, PartNumber, Body: part }),
    );
    this.#parts.push({ PartNumber, ETag: response.ETag });
    if (part.length === partBytes) this.free.push(part);
  }
}
