import { createReadStream } from 'node:fs';
import { open, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import type { RecordedSegment } from '../../shared/live/recording.queries.js';
import { withErrorListener } from '../../shared/platform/errorListener.js';
import { NotFoundError } from '../../shared/platform/errors.js';
import { fragmentsIn, readMp4Tracks, DamagedMediaError, type Mp4Track } from '../../shared/media/mp4/index.js';
import { fileAddress, openingOptions, type MediaCommand, type MediaRun } from '../media/index.js';
import type { WorkerContext } from '../runtime/workerContext.js';

/** Added to all timestamps, because decoding times precede the first presentation time and must not be negative. */
const leadSeconds = 10;
/** A larger difference between the end of a segment and the start of the next one is a gap, which is cut out. */
const gapSeconds = 0.1;
/** Maximum input of one ffmpeg process, which bounds its temporary files and memory. */
const sliceSegments = 300;
const sliceBytes = 256 * 1024 ** 2;

/** A segment with its times on the timeline of its run. */
interface LoadedSegment {
  readonly mapKey: string;
  readonly map: Buffer;
  readonly media: Buffer;
  readonly tracks: readonly Mp4Track[];
  readonly startSeconds: number;
  readonly endSeconds: number;
  /** Maximum time by which video decoding times exceed presentation times. */
  readonly lagSeconds: number;
}

/** Consecutive segments without a gap, with one initialisation segment, in one local file. */
interface Slice {
  readonly mapKey: string;
  readonly tracks: readonly Mp4Track[];
  readonly file: FileHandle;
  readonly startSeconds: number;
  /** Start time in the recording. */
  readonly atSeconds: number;
  endSeconds: number;
  lagSeconds: number;
  segments: number;
  bytes: number;
}

export interface JoinContext {
  readonly ctx: WorkerContext;
  /** For temporary files. */
  readonly folder: string;
  readonly run: MediaRun;
}

/**
 * Yields the segments of a recording, each in its highest rendition, as one MPEG transport stream with continuous timestamps,
 * without encoding. A transport stream allows changes of frame size and sample rate between two runs of an encoder, and is written
 * without seeking. The segments are converted in slices, so that memory and disk do not depend on the length of the recording. Each
 * slice begins at the end of the previous one; gaps of the encoder are removed. A segment whose file is missing or damaged is left
 * out and logged, so that one lost file does not fail the recording. Throws MediaError, and an error if all files of live streams
 * are missing.
 */
export async function* joinSegments(
  context: JoinContext,
  segments: AsyncIterable<RecordedSegment>,
): AsyncGenerator<Buffer, void> {
  const load = segmentLoader(context);
  let slice: Slice | null = null;
  let atSeconds = leadSeconds;
  try {
    for await (const segment of segments) {
      const loaded = await load(segment);
      if (!loaded) continue;
      if (slice && !continues(slice, loaded)) {
        atSeconds += slice.endSeconds - slice.startSeconds;
        yield* converted(context, slice);
        slice = null;
      }
      slice ??= await openSlice(context, loaded, atSeconds);
      await slice.file.appendFile(loaded.media);
      slice.endSeconds = loaded.endSeconds;
      slice.lagSeconds = Math.max(slice.lagSeconds, loaded.lagSeconds);
      slice.segments += 1;
      slice.bytes += loaded.media.length;
    }
    if (slice) yield* converted(context, slice);
  } finally {
    await slice?.file.close();
  }
}

/** Reads segments from the storage. Caches the last initialisation segment. */
function segmentLoader({ ctx, run }: JoinContext): (segment: RecordedSegment) => Promise<LoadedSegment | null> {
  let map: { readonly key: string; readonly bytes: Buffer } | null = null;
  return async ({ files: [highest] }) => {
    run.signal.throwIfAborted();
    if (!highest) return null;
    const { key, mapKey } = highest;
    try {
      if (map?.key !== mapKey) map = { key: mapKey, bytes: await readAll(ctx, mapKey) };
      const media = await readAll(ctx, key);
      const tracks = readMp4Tracks(map.bytes);
      return { mapKey, map: map.bytes, media, tracks, ...timesOf(media, tracks) };
    } catch (error) {
      if (!(error instanceof NotFoundError || error instanceof DamagedMediaError)) throw error;
      if (error instanceof NotFoundError) await assertStoreIsThere(ctx, error);
      ctx.log.error({ err: error, key, mapKey }, 'stored live segment missing or damaged, left out of the recording');
      return null;
    }
  };
}

/** Throws if the storage contains no live segment: it may not be mounted, and a later attempt may succeed. */
async function assertStoreIsThere({ storage }: WorkerContext, cause: NotFoundError): Promise<void> {
  for await (const _ of storage.list('live')) return;
  throw new Error('the storage contains no live segment: is it mounted?', { cause });
}

async function readAll(ctx: WorkerContext, key: string): Promise<Buffer> {
  return buffer(await ctx.storage.read(key));
}

/** Start of the first frame of a segment, and end of the last one. Without video, the times of its audio. */
function timesOf(
  media: Buffer,
  tracks: readonly Mp4Track[],
): Pick<LoadedSegment, 'startSeconds' | 'endSeconds' | 'lagSeconds'> {
  const all = fragmentsIn(media).filter(({ samples }) => samples > 0);
  const present = tracks.filter(({ id }) => all.some((fragment) => fragment.track === id));
  const track = present.find(({ kind }) => kind === 'video') ?? present[0];
  if (!track) throw new DamagedMediaError('no media in the segment');
  const fragments = all.filter((fragment) => fragment.track === track.id);
  const startTick = Math.min(...fragments.map(({ presentationTime }) => presentationTime));
  const ticks = fragments.reduce((sum, { duration }) => sum + duration, 0);
  const lag = Math.max(0, ...fragments.map(({ smallestOffset }) => -smallestOffset));
  return {
    startSeconds: startTick / track.timescale,
    endSeconds: (startTick + ticks) / track.timescale,
    lagSeconds: lag / track.timescale,
  };
}

function continues(slice: Slice, next: LoadedSegment): boolean {
  return (
    slice.mapKey === next.mapKey &&
    Math.abs(next.startSeconds - slice.endSeconds) <= gapSeconds &&
    slice.segments < sliceSegments &&
    slice.bytes < sliceBytes
  );
}

async function openSlice({ folder }: JoinContext, first: LoadedSegment, atSeconds: number): Promise<Slice> {
  const file = await open(join(folder, 'slice.mp4'), 'w');
  await file.appendFile(first.map);
  const { mapKey, tracks, startSeconds, endSeconds, lagSeconds } = first;
  return { mapKey, tracks, file, startSeconds, endSeconds, lagSeconds, atSeconds, segments: 0, bytes: 0 };
}

/** Yields the slice as a transport stream with its own tables, so that slices can be concatenated. */
async function* converted({ ctx, folder, run }: JoinContext, slice: Slice): AsyncGenerator<Buffer, void> {
  await slice.file.close();
  await ctx.media.runner.convert({ folder, ...commandOf(folder, slice) }, run);
  yield* withErrorListener(createReadStream(join(folder, 'slice.ts'), { highWaterMark: 1024 ** 2 }));
}

/** Stream ids are the same in all slices, even if a slice has no audio. */
const streamIds = { video: 256, audio: 257 };

function commandOf(folder: string, slice: Slice): Pick<MediaCommand, 'inputs' | 'outputs'> {
  const { tracks, startSeconds, atSeconds, lagSeconds } = slice;
  const kinds = (['video', 'audio'] as const).filter((kind) => tracks.some((track) => track.kind === kind));
  return {
    // ffmpeg delays video by the time by which its decoding times exceed its presentation times, but not the audio.
    inputs: kinds.map((kind) => ({
      path: fileAddress(join(folder, 'slice.mp4')),
      options: ['-copyts', '-itsoffset', (kind === 'video' ? -lagSeconds : 0).toFixed(6), ...openingOptions('mov')],
    })),
    outputs: [
      {
        path: 'slice.ts',
        options: [
          ...kinds.flatMap((kind, index) => [
            '-map',
            `${index}:${kind[0]}:0`,
            '-streamid',
            `${index}:${streamIds[kind]}`,
          ]),
          ...['-c', 'copy', '-map_metadata', '-1', '-output_ts_offset', (atSeconds - startSeconds).toFixed(6)],
          ...['-muxdelay', '0', '-muxpreload', '0', '-mpegts_flags', '+initial_discontinuity', '-f', 'mpegts'],
        ],
      },
    ],
  };
}
