import { frameRateFor, type FrameRate } from '../../../shared/media/frameRate.js';
import type { AudioTag, AudioTrack, MediaTag, VideoTag, VideoTrack } from './mediaTag.js';

/** A track that has not begun this long after the other one is replaced with silence or a still image. */
export const absentAfterMs = 2_000;
/** Media that is observed before a plan is made: a keyframe interval of two seconds, and a frame. */
const observedMs = 2_100;

/** The properties of a source's video, from its first seconds. */
export interface ObservedVideo {
  readonly track: VideoTrack;
  /** In square pixels. */
  readonly width: number;
  readonly height: number;
  readonly frameRate: FrameRate;
  /** Seconds from one keyframe to the one that can begin the next segment; null if keyframes are irregular. */
  readonly gridSeconds: number | null;
  /** Bits of the busiest second. */
  readonly peakBits: number;
}

export interface Observation {
  readonly epoch: number;
  readonly video: ObservedVideo | null;
  readonly audio: AudioTrack | null;
}

/** Measures the duration of a source's first media. */
export class ObservedSpan {
  /** Time of the first media of each kind; video begins with a keyframe. */
  readonly #firstMs: Partial<Record<MediaTag['kind'], number>> = {};
  readonly #spanMs = { video: 0, audio: 0 };

  add(tag: MediaTag): void {
    if (tag.kind === 'audio' || tag.isKeyframe) this.#firstMs[tag.kind] ??= tag.timeMs;
    const firstMs = this.#firstMs[tag.kind];
    if (firstMs !== undefined) this.#spanMs[tag.kind] = Math.max(this.#spanMs[tag.kind], tag.timeMs - firstMs);
  }

  /** Whether the media suffices for a plan. */
  get isEnough(): boolean {
    const hasVideo = this.#firstMs.video !== undefined;
    return hasVideo ? this.#spanMs.video >= observedMs : this.#spanMs.audio >= absentAfterMs;
  }
}

/** Observes the first seconds of media: its first epoch, and its first tracks. Null if there is neither video nor audio. */
export function observe(tags: readonly MediaTag[]): Observation | null {
  const epoch = tags[0]?.epoch ?? 0;
  const present = tags.filter((tag) => tag.epoch === epoch);
  const first = present.find((tag): tag is VideoTag => tag.kind === 'video' && tag.isKeyframe);
  const untilMs = (first ?? tags[0])?.timeMs ?? 0;
  const audio =
    present.find((tag): tag is AudioTag => tag.kind === 'audio' && tag.timeMs <= untilMs + observedMs)?.track ?? null;
  if (!first || first.timeMs > (tags[0]?.timeMs ?? 0) + observedMs) return audio && { epoch, video: null, audio };
  const shown = present
    .slice(present.indexOf(first))
    .filter((tag): tag is VideoTag => tag.kind === 'video' && tag.track === first.track)
    .filter(({ timeMs }) => timeMs <= first.timeMs + observedMs);
  return { epoch, video: observeVideo(first.track, shown), audio };
}

function observeVideo(track: VideoTrack, tags: readonly VideoTag[]): ObservedVideo {
  const { avc } = track;
  const measured = framesPerSecondOf(tags);
  const declared = avc.framesPerSecond;
  const isConstant = declared !== null && Math.abs(declared - measured) < measured * 0.01;
  const framesPerSecond = isConstant ? declared : measured;
  return {
    track,
    width: Math.round(avc.width * Math.min(8, Math.max(1 / 8, avc.pixelAspect))),
    height: avc.height,
    frameRate: frameRateFor(framesPerSecond, isConstant),
    gridSeconds: gridOf(tags, 1000 / framesPerSecond),
    peakBits: peakBitsOf(tags),
  };
}

const assumedFramesPerSecond = 25;

function framesPerSecondOf(tags: readonly VideoTag[]): number {
  const span = greatest(tags.map(({ timeMs }) => timeMs)) + greatest(tags.map(({ timeMs }) => -timeMs));
  return tags.length > 1 && span > 0 ? ((tags.length - 1) * 1000) / span : assumedFramesPerSecond;
}

/** The bounds of a copied segment's duration. */
const shortestCopiedMs = 1_500;
const maxCopiedMs = 2_050;

/**
 * Duration of a segment of complete groups of pictures; null if the IDR pictures are not equidistant. FLV timestamps are in
 * milliseconds, so a deviation of half a frame is tolerated.
 */
function gridOf(tags: readonly VideoTag[], frameMs: number): number | null {
  const times = tags.filter(({ isRefresh }) => isRefresh).map(({ timeMs }) => timeMs);
  const [first = 0] = times;
  const interval = ((times.at(-1) ?? 0) - first) / (times.length - 1);
  if (!tags[0]?.isRefresh || times.length < 2 || interval <= 0) return null;
  if (times.some((time, index) => Math.abs(time - first - index * interval) > frameMs / 2)) return null;
  const lengthMs = Math.floor(maxCopiedMs / interval) * interval;
  return lengthMs >= shortestCopiedMs ? lengthMs / 1000 : null;
}

function peakBitsOf(tags: readonly VideoTag[]): number {
  const seconds = new Map<number, number>();
  const start = tags[0]?.timeMs ?? 0;
  for (const { timeMs, payload } of tags) {
    const second = Math.floor((timeMs - start) / 1000);
    seconds.set(second, (seconds.get(second) ?? 0) + payload.length * 8);
  }
  return greatest(seconds.values());
}

/** `Math.max(...)` fails with too many arguments, and the encoder controls their number. */
function greatest(numbers: Iterable<number>): number {
  let most = Number.NEGATIVE_INFINITY;
  for (const number of numbers) most = Math.max(most, number);
  return most;
}
