import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

/** The part of s3rver's store that is corrected here. */
export interface S3rverStore {
  getResourcePath(bucket: string, key: string | undefined, kind: string): string;
  putMetadata(bucket: string, key: string, metadata: object, md5: string): Promise<void>;
  putObject(object: S3rverObject): Promise<Written>;
  putPart(bucket: string, uploadId: string, partNumber: number, content: Readable): Promise<Written>;
  deleteObject(bucket: string, key: string): Promise<void>;
}

interface S3rverObject {
  readonly bucket: string;
  readonly key: string;
  readonly content: Buffer | Readable;
  readonly metadata: object;
}

interface Written {
  readonly size: number;
  readonly md5: string;
}

/**
 * An object store has no folders, and responds to a put after storing all of it. s3rver removes empty folders,
 * even while a put is about to write there (which ends the process), and responds when it has read a body, not
 * when it has written it. Here, a removal keeps the folders, and a put responds when its file is closed.
 */
export function mendStore(store: S3rverStore): void {
  store.deleteObject = async (bucket, key) => {
    for (const kind of ['object', 'object.md5', 'metadata.json'])
      await rm(store.getResourcePath(bucket, key, kind), { force: true });
  };
  store.putObject = async ({ bucket, key, content, metadata }) => {
    const written = await write(store.getResourcePath(bucket, key, 'object'), content);
    await store.putMetadata(bucket, key, metadata, written.md5);
    return written;
  };
  store.putPart = async (bucket, uploadId, partNumber, content) => {
    const path = join(store.getResourcePath(bucket, undefined, 'uploads'), uploadId, String(partNumber));
    const written = await write(path, content);
    await writeFile(`${path}.md5`, written.md5);
    return written;
  };
}

async function write(path: string, content: Buffer | Readable): Promise<Written> {
  await mkdir(dirname(path), { recursive: true });
  const hash = createHash('md5');
  let size = 0;
  await pipeline(
    Buffer.isBuffer(content) ? Readable.from([content]) : content,
    async function* (parts: AsyncIterable<Buffer>) {
      for await (const part of parts) {
        hash.update(part);
        size += part.length;
        yield part;
      }
    },
    createWriteStream(path),
  );
  return { size, md5: hash.digest('hex') };
}
