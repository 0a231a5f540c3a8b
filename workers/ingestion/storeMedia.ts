import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import type { Content } from '../../shared/content/content.model.js';
import type { PlannedSource } from '../../shared/content/plan.js';
import { frameThumbnail, originalKey, type StoredImage } from '../../shared/content/thumbnail.service.js';
import type { Config } from '../../shared/platform/config.js';
import { withErrorListener } from '../../shared/platform/errorListener.js';
import type { WorkerContext } from '../runtime/workerContext.js';
import {
  seekableDemuxers,
  MediaFault,
  copyIntoSeekable,
  readSourceTimeline,
  type FrameImage,
  type ProbedSource,
  type VideoStream,
  type MediaRun,
  type SourceTimeline,
} from '../media/index.js';

/** A content that is being ingested: its local source file, and the storage folder of its files. */
export interface IngestContext {
  readonly ctx: WorkerContext;
  readonly content: Content;
  readonly folder: string;
  /** Prefix of the storage keys of intermediate files of this attempt, which the chunk jobs read. */
  readonly storeFolder: string;
  /** The uploaded file, or a file joined from its sections. */
  readonly path: string;
  readonly isJoined: boolean;
  /** The limits of the settings; a recording of an event may be longer than an upload. */
  readonly limits: Config['media'];
  readonly run: MediaRun;
}

/** The file that chunk jobs open: the source, or a seekable copy. If a copy is not possible, the source is read from its start. */
export async function seekableSource(
  ingest: IngestContext,
  description: ProbedSource,
  video: VideoStream,
  timeline: SourceTimeline,
): Promise<Pick<PlannedSource, 'key' | 'demuxer' | 'stream' | 'seekable'>> {
  const { ctx, folder, path, run } = ingest;
  const original = { demuxer: description.demuxer, stream: video.index };
  if (seekableDemuxers.includes(description.demuxer))
    return { ...original, key: ingest.content.sourceKey, seekable: true };
  const { runner } = ctx.media;
  const copy = await copyIntoSeekable(runner, folder, { path, demuxer: description.demuxer, stream: video.index }, run);
  if (!copy) return { ...original, key: await keyOf(ingest), seekable: false };
  const copied = await readSourceTimeline(
    runner,
    { path: copy, demuxer: 'matroska', stream: 0, timeBase: 0.001 },
    ingest.limits,
    run.signal,
  ).catch((error: unknown) => {
    if (error instanceof MediaFault) return null;
    throw error;
  });
  if (!copied || copied.packets !== timeline.packets || Math.abs(copied.startSeconds - timeline.startSeconds) > 0.002) {
    return { ...original, key: await keyOf(ingest), seekable: false };
  }
  const key = `${ingest.storeFolder}/source.mkv`;
  await ctx.storage.put(key, withErrorListener(createReadStream(copy)), {
    contentType: 'video/x-matroska',
    signal: run.signal,
  });
  return { key, demuxer: 'matroska', stream: 0, seekable: true };
}

/** Storage key of the file that is being ingested: the uploaded file, or the file joined from its sections. */
async function keyOf({ ctx, content, path, isJoined, storeFolder, run }: IngestContext): Promise<string> {
  if (!isJoined) return content.sourceKey;
  const key = `${storeFolder}/joined.ts`;
  await ctx.storage.put(key, withErrorListener(createReadStream(path)), {
    contentType: 'video/mp2t',
    signal: run.signal,
  });
  return key;
}

/** Each content has one thumbnail id for all attempts and generations, derived from the content's id. */
export function frameThumbnailId({ id }: Content): string {
  const digest = createHash('sha256').update(`${id}:thumbnail`).digest('hex');
  const groups = [digest.slice(0, 8), digest.slice(8, 12), `4${digest.slice(13, 16)}`, `8${digest.slice(17, 20)}`];
  return [...groups, digest.slice(20, 32)].join('-');
}

/** The thumbnail of a copied quick generation that plays: the same frame would be chosen again. */
export async function copiedThumbnail({ ctx, content }: IngestContext): Promise<StoredImage | null> {
  return content.readyAttempt === null ? null : frameThumbnail(ctx, frameThumbnailId(content));
}

export async function storeThumbnail(
  { ctx, content, run }: Pick<IngestContext, 'ctx' | 'content' | 'run'>,
  frame: FrameImage,
): Promise<StoredImage> {
  const id = frameThumbnailId(content);
  const storageKey = originalKey(id);
  const mimeType = 'image/jpeg';
  const body = withErrorListener(createReadStream(frame.path));
  const { bytes } = await ctx.storage.put(storageKey, body, { contentType: mimeType, signal: run.signal });
  return { id, storageKey, mimeType, sizeBytes: bytes, width: frame.width, height: frame.height };
}
