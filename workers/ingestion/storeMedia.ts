import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { chunkAt, type Grid } from '../../shared/media/grid.js';
import { firstPacketAt } from '../../shared/media/audioPackets.js';
import {
  describedTracks,
  silentTrack,
  soundName,
  type ContentAudio,
  type Sound,
} from '../../shared/content/audioTracks.js';
import type { Content } from '../../shared/content/content.model.js';
import type { PlannedAudio, PlannedSource } from '../../shared/content/plan.js';
import { originalKey, type StoredImage } from '../../shared/content/thumbnail.service.js';
import type { Config } from '../../shared/platform/config.js';
import type { WorkerContext } from '../runtime/workerContext.js';
import { encodeAudio, layOutAudio, type AudioSource, type EncodedAudio } from '../media/audio.js';
import { seekableDemuxers } from '../media/demuxers.js';
import { MediaFault } from '../media/mediaFault.js';
import type { FrameImage } from '../media/frame.js';
import type { AudioStream, ProbedSource, VideoStream } from '../media/probe.js';
import { copyIntoSeekable } from '../media/remux.js';
import { isMediaFailure, type MediaRun } from '../media/runner.js';
import { readSourceTimeline, type SourceTimeline } from '../media/sourceTimeline.js';

const [stereoChannels, surroundChannels] = [2, 6];

/** A content that is being ingested: its source on this machine, and where its files are stored. */
export interface IngestContext {
  readonly ctx: WorkerContext;
  readonly content: Content;
  readonly folder: string;
  /** Prefix of the storage keys of intermediate files of this attempt, which the chunk jobs read. */
  readonly storeFolder: string;
  /** The uploaded file, or a file joined from its sections. */
  readonly path: string;
  readonly isJoined: boolean;
  /** Those of the settings; a recording of an event may be longer than an upload. */
  readonly limits: Config['media'];
  readonly run: MediaRun;
}

/** An audio stream of the source, as it was encoded. */
export interface TrackAudio {
  readonly track: ContentAudio;
  readonly sound: Sound;
  /** As it is encoded. */
  readonly channels: number;
  /** Null: it cannot be decoded. */
  readonly encoded: EncodedAudio | null;
}

type AudioPlace = Pick<AudioSource, 'originSeconds' | 'quick'>;

/**
 * The audio streams of the source, the default one first; each in stereo, and in 5.1 too where it has as many channels. A quick
 * generation has the default one alone. Another stream than the default one is left out where it cannot be decoded. Empty where there is no audio.
 */
export async function audioOf(
  ingest: IngestContext,
  description: ProbedSource,
  place: AudioPlace,
): Promise<TrackAudio[]> {
  const tracks = describedTracks(description.audioStreams);
  const { trackId: first } = description.audio ?? {};
  const ordered = description.audioStreams.toSorted(
    (one, other) => Number(other.trackId === first) - Number(one.trackId === first),
  );
  const encoded: TrackAudio[] = [];
  for (const stream of place.quick ? ordered.slice(0, 1) : ordered) {
    const track = tracks.find(({ trackId }) => trackId === stream.trackId);
    const sounds: readonly Sound[] =
      stream.channels >= surroundChannels && !place.quick ? ['audio', 'surround'] : ['audio'];
    for (const sound of track ? sounds : []) {
      const channels = sound === 'surround' ? surroundChannels : stereoChannels;
      const audio = await encodeStream(ingest, description, stream, {
        ...place,
        channels,
        name: soundName(sound, stream.trackId),
      });
      if (track && (audio || encoded.length === 0)) encoded.push({ track, sound, channels, encoded: audio });
    }
  }
  return encoded;
}

/** Null where it cannot be decoded and there is video. */
async function encodeStream(
  ingest: IngestContext,
  description: ProbedSource,
  stream: AudioStream,
  written: AudioPlace & Pick<AudioSource, 'channels' | 'name'>,
): Promise<EncodedAudio | null> {
  const { ctx, path, run, folder } = ingest;
  try {
    return await encodeAudio(
      ctx.media.runner,
      folder,
      {
        path,
        demuxer: description.demuxer,
        stream: stream.index,
        ...written,
        maximumSeconds: ingest.limits.maximumDurationSeconds + 1,
        // Gaps of some milliseconds between sections, or between runs of an encoder, would add up; their timestamps are exact.
        toleranceSeconds: ingest.isJoined || ingest.content.recorded ? 0.005 : 0.1,
        threads: ctx.config.worker.mediaThreads,
      },
      run,
    );
  } catch (error) {
    if (!isMediaFailure(error)) throw error;
    if (!description.video) throw new MediaFault('content.failure.unreadable', error.message);
    ctx.log.warn(
      { contentId: ingest.content.id, stream: stream.index, detail: error.message },
      'audio cannot be decoded',
    );
    return null;
  }
}

/** The file that chunk jobs open: the source, or a seekable copy. Where a copy is not possible, the source is read from its start. */
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
  await ctx.storage.put(key, createReadStream(copy), { contentType: 'video/x-matroska', signal: run.signal });
  return { key, demuxer: 'matroska', stream: 0, seekable: true };
}

/** Storage key of the file that is being ingested: the uploaded file, or the file joined from its sections. */
async function keyOf({ ctx, content, path, isJoined, storeFolder, run }: IngestContext): Promise<string> {
  if (!isJoined) return content.sourceKey;
  const key = `${storeFolder}/joined.ts`;
  await ctx.storage.put(key, createReadStream(path), { contentType: 'video/mp2t', signal: run.signal });
  return key;
}

const silence: TrackAudio = { track: silentTrack, sound: 'audio', channels: stereoChannels, encoded: null };

/** Stores the audio of all tracks for the chunk jobs; silence where there is none. */
export async function storeAudio(
  ingest: IngestContext,
  grid: Grid,
  audio: readonly TrackAudio[],
): Promise<PlannedAudio[]> {
  const { ctx, folder, run } = ingest;
  const packets = firstPacketAt(grid.frameCount, grid.frameRate);
  const starts = Array.from({ length: grid.chunkCount }, (_, position) => chunkAt(grid, position).firstPacket);
  const planned: PlannedAudio[] = [];
  for (const { track, sound, channels, encoded } of audio.length > 0 ? audio : [silence]) {
    const { body, offsets } = await layOutAudio(
      ctx.media.runner,
      folder,
      encoded,
      { packets, starts: [...starts, packets], channels },
      run,
    );
    const name = soundName(sound, track.trackId);
    const key = `${ingest.storeFolder}/${name}.aac`;
    await ctx.storage.put(key, body, { contentType: 'audio/aac', signal: run.signal });
    const { language, label } = track;
    planned.push({ name, language, label, channels, key, packetCount: packets, offsets });
  }
  return planned;
}

/** Each content has one thumbnail of its own, the same for every attempt and generation: its id is derived from the content's. */
export function frameThumbnailId({ id }: Content): string {
  const digest = createHash('sha256').update(`${id}:thumbnail`).digest('hex');
  const groups = [digest.slice(0, 8), digest.slice(8, 12), `4${digest.slice(13, 16)}`, `8${digest.slice(17, 20)}`];
  return [...groups, digest.slice(20, 32)].join('-');
}

export async function storeThumbnail(
  { ctx, content, run }: Pick<IngestContext, 'ctx' | 'content' | 'run'>,
  frame: FrameImage,
): Promise<StoredImage> {
  const id = frameThumbnailId(content);
  const storageKey = originalKey(id);
  const mimeType = 'image/jpeg';
  const body = createReadStream(frame.path);
  const { bytes } = await ctx.storage.put(storageKey, body, { contentType: mimeType, signal: run.signal });
  return { id, storageKey, mimeType, sizeBytes: bytes, width: frame.width, height: frame.height };
}
