import type { ServerResponse } from 'node:http';
import { pipeline, Readable, Transform } from 'node:stream';
import type { Context } from '../../shared/platform/context.js';
import { withErrorListener } from '../../shared/platform/errorListener.js';
import { NotFoundError } from '../../shared/platform/errors.js';
import type { ByteRange } from '../../shared/platform/storage/storage.js';
import { trackFile, type TrackFile } from '../../shared/playback/tracks/trackFile.queries.js';
import { sendBytes } from '../http/sendFile.js';
import { segmentCaching, type Granted } from './granted.js';
import { contentTypes } from './sendStream.js';

/**
 * Sends one track of a stored segment or initialisation segment, with the times of its file or of the continuous form:
 * `docs/decisions/cast.md#tracks`. Tracks are not stored as separate files, so this process sends them, whatever
 * `PLAYBACK_DELIVERY` says. Throws NotFoundError.
 */
export async function sendTrack(
  { ctx, response }: { readonly ctx: Context; readonly response: ServerResponse },
  { key, count }: Pick<Granted, 'key' | 'count'>,
): Promise<void> {
  const file = await trackFile(ctx, key);
  if (!file) throw new NotFoundError({ detail: `not a track: ${key}` });
  const { head, body, stored } = file;
  const bytes = body.reduce((sum, { start, end }) => sum + end + 1 - start, head.length);
  const description = { ...stored, bytes, etag: stored.etag.replace(/"$/, '-track"') };
  const read = (range: ByteRange): Promise<Readable> => readBytes(ctx, file, range);
  await sendBytes(
    { ctx, response },
    { description, read },
    {
      contentType: contentTypes[key.slice(key.lastIndexOf('.') + 1)] ?? '',
      cacheControl: segmentCaching,
      onSent: count,
    },
  );
}

/** Reads a range of head and body. The store is opened first: if the file was removed, no bytes have been sent. */
async function readBytes(ctx: Context, { head, body, stored }: TrackFile, range: ByteRange): Promise<Readable> {
  const inHead = head.subarray(range.start, range.end + 1);
  const requested = rangesWithin(body, { start: range.start - head.length, end: range.end - head.length });
  const [first, last] = [requested[0], requested.at(-1)];
  if (!first || !last) return withErrorListener(Readable.from([inHead]));
  const media = await ctx.storage.read(stored.key, { start: first.start, end: last.end });
  const sent = requested.length === 1 ? media : selected(media, requested);
  if (inHead.length > 0) sent.unshift(inHead);
  return sent;
}

/** The parts of a file's concatenated ranges between two positions. */
function rangesWithin(ranges: readonly ByteRange[], { start, end }: ByteRange): ByteRange[] {
  let before = 0;
  return ranges.flatMap((range) => {
    const shift = range.start - before;
    const within = { start: Math.max(range.start, start + shift), end: Math.min(range.end, end + shift) };
    before += range.end + 1 - range.start;
    return within.start <= within.end ? [within] : [];
  });
}

/**
 * Filters the bytes of a file, from the start of the first range to the end of the last one, so that one read of the store is
 * enough.
 */
function selected(media: Readable, ranges: readonly ByteRange[]): Readable {
  let position = ranges[0]?.start ?? 0;
  let index = 0;
  const select = new Transform({
    transform(block: Buffer, _encoding, done) {
      const end = position + block.length;
      for (let range = ranges[index]; range && range.start < end; range = ranges[index]) {
        this.push(block.subarray(Math.max(0, range.start - position), range.end + 1 - position));
        if (range.end >= end) break;
        index += 1;
      }
      position = end;
      done();
    },
  });
  return pipeline(media, select, () => {});
}
