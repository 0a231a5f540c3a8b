import { BufferPool } from '../../../shared/platform/bufferPool.js';
import { hideClosedCaptions } from '../../../shared/media/closedCaptions/index.js';
import {
  FragmentReader,
  aacConfigurationOf,
  readMp4Tracks,
  DamagedMediaError,
  singleTrackFragment,
  ownTimes,
  trackRunsIn,
  correctedFragment,
  type Initialisation,
  type Mp4Track,
  type TrackRuns,
} from '../../../shared/media/mp4/index.js';
import { isPlainAac } from '../../../shared/media/aac/index.js';
import { AudioNotPlainError, CopyError } from './copyRefusal.js';
import { lengthBytes, readInitialisation, type CheckedVideo } from './checkedVideo.js';
import type { VideoIndex } from './packetIndex.js';

/** A group of pictures can be as large as a segment; the index limits both. */
const maxFragmentBytes = 128 * 1024 ** 2;
/** Maximum distance of audio from the video in the same fragment. */
const interleavedSeconds = 1.5;
const gapSeconds = 0.05;
const endSeconds = 0.6;

/** A checked segment of the copy: a video file and an audio file. */
export interface CopiedSegment {
  readonly number: number;
  readonly video: readonly Buffer[];
  /** Empty if no packet begins while its frames are shown. */
  readonly audio: readonly Buffer[];
  /** Called when the data has been stored: its memory is reused. */
  readonly release: () => void;
}

interface CopiedTracks {
  readonly video: Mp4Track;
  readonly audio: Mp4Track;
}

/**
 * Divides the output of ffmpeg into the segments of the index, and checks each segment: its frames, their times, and that it begins
 * with a keyframe. Closed captions are hidden, because they are captions of the content. `push` throws CopyError instead of
 * returning a segment that differs from the index, and AudioNotPlainError if the audio must be encoded.
 */
export class SegmentDivider {
  readonly #memory = new BufferPool();
  readonly #reader = new FragmentReader({
    maxBoxBytes: maxFragmentBytes,
    allocate: (bytes) => this.#memory.take(bytes),
  });
  #video: CheckedVideo | null = null;
  #tracks: CopiedTracks | null = null;
  #number = 0;
  #media: Buffer[] = [];
  #parts: Record<Mp4Track['kind'], Buffer[]> = { video: [], audio: [] };
  #frames = 0;
  #audioEnd = Number.NaN;

  constructor(
    private readonly index: VideoIndex,
    private readonly size: { readonly width: number; readonly height: number },
  ) {}

  /** The number of the segment in progress. */
  get number(): number {
    return this.#number;
  }

  /** Null until it has been read. */
  get initialisation(): Initialisation | null {
    return this.#reader.initialisation;
  }

  /** The segments that this data completes. */
  push(data: Buffer): CopiedSegment[] {
    try {
      return this.#reader.push(data).flatMap(({ data: boxes }) => this.#take(boxes) ?? []);
    } catch (error) {
      if (error instanceof DamagedMediaError || error instanceof RangeError) throw new CopyError(error.message);
      throw error;
    }
  }

  /** Called at the end. Throws CopyError if segments or audio are missing. */
  finish(): void {
    if (this.#number !== this.index.segments.length || this.#frames > 0)
      throw new CopyError(`${this.#number} segments instead of ${this.index.segments.length}`);
    const missing = this.index.durationSeconds - this.#audioEnd;
    if (!(Math.abs(missing) <= endSeconds)) throw new CopyError(`the audio ends ${missing} s before the video`);
  }

  #take(boxes: readonly Buffer[]): CopiedSegment | null {
    const tracks = this.#tracks ?? this.#prepare();
    const written = boxes.find((box) => box.toString('latin1', 4, 8) === 'moof') as Buffer;
    const moof = correctedFragment(written, [tracks.video, tracks.audio], 0);
    const segment = this.index.segments[this.#number];
    if (!segment) throw new CopyError('more frames than the index has');
    const media = boxes.at(-1) as Buffer;
    const runs = trackRunsIn(moof);
    const video = runs.find(({ track }) => track === tracks.video.id);
    if (!video || video.samples.length === 0) throw new CopyError('a fragment without video');
    this.#checkVideo(video, moof.length, media);
    const audio = runs.find(({ track }) => track === tracks.audio.id);
    if (audio && audio.samples.length > 0) this.#checkAudio(audio, video);
    this.#media.push(media);
    // Positions are relative to the start of `moof`; the media follow it.
    const fragments = [{ start: -moof.length, runs }];
    for (const kind of ['video', 'audio'] as const) {
      const samples = ownTimes(fragments, [tracks.video, tracks.audio], kind);
      this.#parts[kind].push(...singleTrackFragment(kind, media, samples));
    }
    this.#frames += video.samples.length;
    if (this.#frames > segment.frames)
      throw new CopyError(`segment ${this.#number} has ${this.#frames} frames instead of ${segment.frames}`);
    if (this.#frames < segment.frames) return null;
    const used = this.#media;
    const complete = { number: this.#number, ...this.#parts, release: () => this.#memory.release(used) };
    this.#number += 1;
    this.#media = [];
    this.#parts = { video: [], audio: [] };
    this.#frames = 0;
    return complete;
  }

  /** Checks the initialisation segment. */
  #prepare(): CopiedTracks {
    const init = this.initialisation?.data;
    if (!init) throw new CopyError('no initialisation segment');
    this.#video = readInitialisation(init, this.size);
    const tracks = copiedTracks(init);
    if (!isPlainAac(aacConfigurationOf(init))) throw new AudioNotPlainError('not plain AAC by its configuration');
    return (this.#tracks = tracks);
  }

  #checkVideo({ decodeTime, samples }: TrackRuns, moofBytes: number, media: Buffer): void {
    const segment = this.index.segments[this.#number];
    const scale = this.#tracks?.video.timescale ?? 1;
    const start = segment?.startSeconds ?? 0;
    const end = start + (segment?.durationSeconds ?? 0);
    // Times are rounded to the ticks of this track, and to milliseconds in some containers.
    const tolerance = 1.5 / scale + 0.0011;
    const isFirst = this.#frames === 0;
    let time = decodeTime;
    samples.forEach(({ duration, offset, bytes, position }, index) => {
      const shown = (time + offset) / scale;
      time += duration;
      const isStart = isFirst && index === 0;
      if (shown < start - tolerance || shown > end + tolerance || (isStart && shown > start + tolerance))
        throw new CopyError(`segment ${this.#number}: a frame at ${shown} s, not in ${start}..${end} s`);
      const at = position - moofBytes;
      if (at < 8 || at + bytes > media.length) throw new CopyError('a sample outside of its fragment');
      const frame = media.subarray(at, at + bytes);
      this.#video?.check(frame, isStart);
      hideClosedCaptions(frame, lengthBytes);
    });
  }

  #checkAudio({ decodeTime, samples }: TrackRuns, video: TrackRuns): void {
    const scale = this.#tracks?.audio.timescale ?? 1;
    const start = decodeTime / scale;
    const videoStart = video.decodeTime / (this.#tracks?.video.timescale ?? 1);
    if (start < 0) throw new CopyError(`audio at ${start} s, before the first frame`);
    if (Math.abs(start - videoStart) > interleavedSeconds)
      throw new CopyError(`audio at ${start} s and video at ${videoStart} s`);
    if (Math.abs(start - this.#audioEnd) > gapSeconds) throw new CopyError(`a gap in the audio at ${start} s`);
    this.#audioEnd = samples.reduce((time, { duration }) => time + duration, decodeTime) / scale;
  }
}

function copiedTracks(init: Buffer): CopiedTracks {
  const tracks = readMp4Tracks(init);
  const video = tracks.find(({ kind }) => kind === 'video');
  const audio = tracks.find(({ kind }) => kind === 'audio');
  if (!video || !audio || tracks.length !== 2) throw new CopyError('not one video and one audio');
  return { video, audio };
}
