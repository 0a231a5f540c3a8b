import { parameterSetsOf } from '../../shared/media/avc/index.js';
import {
  DamagedMediaError,
  avcConfigurationOf,
  readMp4Tracks,
  trackRunsIn,
  type Sample,
  type TrackRuns,
} from '../../shared/media/mp4/index.js';
import type { ContentSegment } from '../../shared/content/mediaPlaylist.js';
import {
  readStored,
  storedBoxes,
  storedFile,
  storedFragment,
  storedInitialisation,
} from '../../shared/content/storedMedia.js';
import type { Context } from '../../shared/platform/context.js';

/** A segment, with its start time in the content. */
export interface TimedSegment extends ContentSegment {
  readonly startSeconds: number;
}

/** A keyframe of a stored segment. */
interface StoredKeyframe {
  /** Time from the first frame of the segment. */
  readonly afterSeconds: number;
  readonly start: number;
  readonly bytes: number;
}

interface OpenedSegment {
  readonly segment: TimedSegment;
  readonly init: Buffer;
  readonly keyframes: readonly StoredKeyframe[];
}

const startCode = Buffer.from([0, 0, 0, 1]);
/** An access unit delimiter, from which ffmpeg's parser detects the end of a frame. */
const delimiter = Buffer.from([0, 0, 0, 1, 9, 0xf0]);
/** More than a usual 8K keyframe. A sheet may have a hundred of them on disk. */
const maxBytes = 8 * 1024 ** 2;

/** Reads single keyframes of the segments in one folder, without their other media. */
export class KeyframeReader {
  readonly #ctx: Context;
  readonly #folder: string;
  /** The last read segment, with its initialisation segment and keyframes. */
  #last: OpenedSegment | null = null;
  /** The last read keyframe, because several tiles may show it. */
  #unit: { readonly of: StoredKeyframe; readonly stream: Buffer } | null = null;

  constructor(ctx: Context, folder: string) {
    this.#ctx = ctx;
    this.#folder = folder;
  }

  /**
   * Resolves with the last keyframe that is presented at or before this time of the content, as an H.264 stream with its parameter
   * sets.
   */
  async read(segment: TimedSegment, seconds: number): Promise<Buffer> {
    const { init, keyframes } = await this.#open(segment);
    const after = seconds - segment.startSeconds + 0.001;
    const keyframe = keyframes.findLast(({ afterSeconds }) => afterSeconds <= after) ?? keyframes[0];
    if (!keyframe || keyframe.bytes > maxBytes) throw new DamagedMediaError(`no keyframe in ${segment.uri}`);
    if (this.#unit?.of !== keyframe) {
      const data = await readStored(this.#ctx, `${this.#folder}/${segment.uri}`, keyframe.start, keyframe.bytes);
      this.#unit = { of: keyframe, stream: accessUnit(avcConfigurationOf(init), data) };
    }
    return this.#unit.stream;
  }

  async #open(segment: TimedSegment): Promise<OpenedSegment> {
    if (this.#last?.segment === segment) return this.#last;
    const mapKey = `${this.#folder}/${segment.map}`;
    const init =
      this.#last?.segment.map === segment.map
        ? this.#last.init
        : await storedInitialisation(this.#ctx, await storedFile(this.#ctx, mapKey));
    this.#last = { segment, init, keyframes: await this.#keyframesOf(init, `${this.#folder}/${segment.uri}`) };
    return this.#last;
  }

  async #keyframesOf(init: Buffer, key: string): Promise<StoredKeyframe[]> {
    const video = readMp4Tracks(init).find(({ kind }) => kind === 'video');
    if (!video) throw new DamagedMediaError(`no video in ${key}`);
    const keyframes: (StoredKeyframe & { readonly time: number })[] = [];
    let first: number | undefined;
    for await (const box of storedBoxes(this.#ctx, await storedFile(this.#ctx, key))) {
      if (box.type !== 'moof') continue;
      const run = trackRunsIn(await storedFragment(this.#ctx, key, box)).find(({ track }) => track === video.id);
      for (const { sample, time } of run ? shownSamples(run) : []) {
        first = Math.min(first ?? time, time);
        if (!sample.isSync) continue;
        keyframes.push({ time, afterSeconds: 0, start: box.start + sample.position, bytes: sample.bytes });
      }
    }
    return keyframes.map(({ time, ...keyframe }) => ({
      ...keyframe,
      afterSeconds: (time - (first ?? time)) / video.timescale,
    }));
  }
}

/** The samples of a run with their presentation times, in ticks. */
function shownSamples({ decodeTime, samples }: TrackRuns): { readonly sample: Sample; readonly time: number }[] {
  let time = decodeTime;
  return samples.map((sample) => {
    time += sample.duration;
    return { sample, time: time - sample.duration + sample.offset };
  });
}

/** Converts an MP4 sample, with length-prefixed NAL units, to an H.264 stream (Annex B). */
function accessUnit(configuration: Buffer, sample: Buffer): Buffer {
  const lengthBytes = ((configuration[4] ?? 0) & 3) + 1;
  const parts = [delimiter, ...parameterSetsOf(configuration).flatMap((set) => [startCode, set])];
  let at = 0;
  while (at + lengthBytes <= sample.length) {
    const length = sample.readUIntBE(at, lengthBytes);
    at += lengthBytes;
    const unit = sample.subarray(at, at + length);
    // Drops the delimiter of the sample, which would end the frame after the parameter sets.
    if (unit.length > 0 && ((unit[0] ?? 0) & 0x1f) !== 9) parts.push(startCode, unit);
    at += length;
  }
  return Buffer.concat(parts);
}
