import type { UploadedPart } from './route.js';

/** The bytes of a file part, whose form limits their number. */
export async function partBytes({ stream }: UploadedPart): Promise<Buffer> {
  const parts: Buffer[] = [];
  for await (const part of stream as AsyncIterable<Buffer>) parts.push(part);
  return Buffer.concat(parts);
}
