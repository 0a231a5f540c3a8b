import { Readable } from 'node:stream';
import type { Context } from '../../shared/platform/context.js';
import { NotFoundError } from '../../shared/platform/errors.js';
import type { ByteRange } from '../../shared/platform/storage/byteRange.js';
import { countBand } from '../../shared/playback/bandCounter.js';
import { continuousFile, type ContinuousFile } from '../../shared/playback/continuous/continuousFile.queries.js';
import type { DirectRequest } from '../http/route.js';
import { sendBytes } from '../http/sendFile.js';
import { contentTypes, segmentCaching, type Granted } from './sendStream.js';

/**
 * Sends a segment or an initialisation segment of a cast channel in the continuous form: `docs/decisions/cast.md#continuous`. It is
 * stored in another form, so this process sends it, whatever `PLAYBACK_DELIVERY` says. Throws NotFoundError.
 */
export async function sendContinuous({ ctx, response }: DirectRequest, { key, grant }: Granted): Promise<void> {
  const file = await continuousFile(ctx, key);
  if (!file) throw new NotFoundError({ detail: `not a file of the continuous form: ${key}` });
  const { head, body, stored } = file;
  const bytes = head.length + (body ? body.end + 1 - body.start : 0);
  const description = { ...stored, bytes, etag: stored.etag.replace(/"$/, '-continuous"') };
  const read = (range: ByteRange): Promise<Readable> => readBytes(ctx, file, range);
  await sendBytes(
    { ctx, response },
    { description, read },
    {
      contentType: contentTypes[key.slice(key.lastIndexOf('.') + 1)] ?? '',
      cacheControl: segmentCaching,
      onSent: (sent) => countBand(ctx, grant.publisherCode, sent),
    },
  );
}

/** A range of the head and what follows it. The store is opened first: where the file is removed, nothing has been sent. */
async function readBytes(ctx: Context, { head, body, stored }: ContinuousFile, range: ByteRange): Promise<Readable> {
  const inHead = head.subarray(range.start, range.end + 1);
  if (!body || range.end < head.length) return Readable.from([inHead]);
  const shift = body.start - head.length;
  const start = Math.max(body.start, range.start + shift);
  const media = await ctx.storage.read(stored.key, { start, end: range.end + shift });
  if (inHead.length > 0) media.unshift(inHead);
  return media;
}
