import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { chunkAt, firstPacketAt, type Grid } from '../../shared/content/chunkPlan.js';
import type { Content } from '../../shared/content/content.model.js';
import type { PlannedAudio, PlannedSource } from '../../shared/content/plan.js';
import { originalKey, type StoredImage } from '../../shared/content/thumbnail.service.js';
import type { WorkerContext } from '../runtime/workerContext.js';
import { encodeAudio, layOutAudio, type EncodedAudio } from '../media/audio.js';
import { seekableDemuxers } from '../media/demuxers.js';
import { MediaFault } from '../media/mediaFault.js';
import type { Picture } from '../media/frame.js';
import type { SourceDescription, VideoStream } from '../media/probe.js';
import { copyIntoSeekable } from '../media/remux.js';
import { isRefusal, type MediaRun } from '../media/runner.js';
import { readTimeline, type Timeline } from '../media/timeline.js';

/** One content being ingested: its source on this machine, and where to put what is made of it. */
export interface IngestContext {
  readonly ctx: WorkerContext;
  readonly content: Content;
  readonly folder: string;
  /** Prefix of what this attempt stores for the chunk jobs. */
  readonly storeFolder: string;
  /** The uploaded file, or one that has been joined of its parts. */
  readonly path: string;
  readonly isJoined: boolean;
  readonly run: MediaRun;
}

/** Null where there is no sound, or none that can be decoded beside pictures that can. */
export async function audioOf(
  place: IngestContext,
  description: SourceDescription,
  originSeconds: number,
): Promise<EncodedAudio | null> {
  const { ctx, path, run, folder } = place;
  if (!description.audio) return null;
  try {
    return await encodeAudio(
      ctx.media.runner,
      folder,
      {
        path,
        demuxer: description.demuxer,
        stream: description.audio.index,
        originSeconds,
        maximumSeconds: ctx.config.media.maximumDurationSeconds + 1,
        // Between parts are gaps of some milliseconds, which would add up; the times are our own.
        toleranceSeconds: place.isJoined ? 0.005 : 0.1,
        threads: ctx.config.worker.mediaThreads,
      },
      run,
    );
  } catch (error) {
    if (!isRefusal(error)) throw error;
    if (!description.video) throw new MediaFault('content.failure.unreadable', error.message);
    ctx.log.warn(
      { contentId: place.content.id, detail: error.message },
      'the sound cannot be decoded: silence in its place',
    );
    return null;
  }
}

/** What chunk jobs open: the source itself, or a copy that they can seek in; as a last resort the source, read from its start. */
export async function seekableSource(
  place: IngestContext,
  description: SourceDescription,
  video: VideoStream,
  timeline: Timeline,
): Promise<Pick<PlannedSource, 'key' | 'demuxer' | 'stream' | 'seekable'>> {
  const { ctx, folder, path, run } = place;
  const itself = { demuxer: description.demuxer, stream: video.index };
  if (seekableDemuxers.includes(description.demuxer))
    return { ...itself, key: place.content.sourceKey, seekable: true };
  const { runner } = ctx.media;
  const copy = await copyIntoSeekable(runner, folder, { path, demuxer: description.demuxer, stream: video.index }, run);
  if (!copy) return { ...itself, key: await keyOf(place), seekable: false };
  const copied = await readTimeline(
    runner,
    { path: copy, demuxer: 'matroska', stream: 0, timeBase: 0.001 },
    ctx.config.media,
    run.signal,
  ).catch(() => null);
  if (!copied || copied.packets !== timeline.packets || Math.abs(copied.startSeconds - timeline.startSeconds) > 0.002) {
    return { ...itself, key: await keyOf(place), seekable: false };
  }
  const key = `${place.storeFolder}/source.mkv`;
  await ctx.storage.put(key, createReadStream(copy), { contentType: 'video/x-matroska', signal: run.signal });
  return { key, demuxer: 'matroska', stream: 0, seekable: true };
}

/** Where chunk jobs find the very file that is being worked on: what was uploaded, or what has been joined of its parts. */
async function keyOf({ ctx, content, path, isJoined, storeFolder, run }: IngestContext): Promise<string> {
  if (!isJoined) return content.sourceKey;
  const key = `${storeFolder}/joined.ts`;
  await ctx.storage.put(key, createReadStream(path), { contentType: 'video/mp2t', signal: run.signal });
  return key;
}

export async function storeAudio(place: IngestContext, grid: Grid, audio: EncodedAudio | null): Promise<PlannedAudio> {
  const { ctx, folder, run } = place;
  const packets = firstPacketAt(grid.frameCount, grid.frameRate);
  const starts = Array.from({ length: grid.chunkCount }, (_, position) => chunkAt(grid, position).firstPacket);
  const { body, offsets } = await layOutAudio(
    ctx.media.runner,
    folder,
    audio,
    { packets, starts: [...starts, packets] },
    run,
  );
  const key = `${place.storeFolder}/sound.aac`;
  await ctx.storage.put(key, body, { contentType: 'audio/aac', signal: run.signal });
  return { key, packetCount: packets, offsets };
}

/** Each content has one thumbnail of its own, the same for every attempt and generation: its id is derived from the content's. */
export function frameThumbnailId({ id }: Content): string {
  const digest = createHash('sha256').update(`${id}:thumbnail`).digest('hex');
  const groups = [digest.slice(0, 8), digest.slice(8, 12), `4${digest.slice(13, 16)}`, `8${digest.slice(17, 20)}`];
  return [...groups, digest.slice(20, 32)].join('-');
}

export async function storeThumbnail(place: IngestContext, frame: Picture): Promise<StoredImage> {
  const { ctx, content, run } = place;
  const id = frameThumbnailId(content);
  const storageKey = originalKey(id);
  const mimeType = 'image/jpeg';
  const body = createReadStream(frame.path);
  const { bytes } = await ctx.storage.put(storageKey, body, { contentType: mimeType, signal: run.signal });
  return { id, storageKey, mimeType, sizeBytes: bytes, width: frame.width, height: frame.height };
}
