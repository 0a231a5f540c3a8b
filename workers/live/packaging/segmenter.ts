import { timelineBaseSeconds } from './encodingCommand.js';
import type { SegmentEnds, Fragment } from '../../../shared/media/mp4/index.js';

/** Half a second of one rendition, as written by ffmpeg. */
export interface EncodedPart {
  readonly rendition: string;
  /** Number of its segment within the encoding, and its own number within the segment; both from 0. */
  readonly segment: number;
  readonly part: number;
  /** Since the start of the encoding. */
  readonly startSeconds: number;
  readonly durationSeconds: number;
  readonly isIndependent: boolean;
  /** The segment has no more parts in this rendition. May be false in the last segment of an encoding, which can end early. */
  readonly isLast: boolean;
  /**
   * The parts of a segment are its bytes. In the last segment of an encoding, the rest of the audio may follow the last part, and
   * the last frame of that part may have another duration.
   */
  readonly data: readonly Buffer[];
}

/** A segment in all renditions, or, at the end of an encoding, in those that have frames for it. */
export interface EncodedSegment {
  /** Within the encoding, from 0. */
  readonly number: number;
  /** Since the start of the encoding. */
  readonly startSeconds: number;
  /** Duration in the first rendition. In the others, the last segment of an encoding may differ by some frames. */
  readonly durationSeconds: number;
  /** In the order of the plan. The first rendition is always present. */
  readonly renditions: readonly { readonly name: string; readonly data: readonly Buffer[]; readonly bytes: number }[];
}

/** The renditions cannot be cut at the same frames. */
export class MisalignedError extends Error {}

/** Maximum distance between the starts of copied and encoded segments, because encoded renditions have a constant frame rate. */
const toleranceFrames = 0.6;

type Correction = (ends: SegmentEnds) => readonly Buffer[];

interface Cut {
  readonly startSeconds: number;
  readonly durationSeconds: number;
  /** The encoding ended before the segment had its full duration. */
  readonly isCutShort: boolean;
  readonly data: readonly Buffer[];
  readonly bytes: number;
}

/** Joins the fragments of each rendition into segments, which begin with a keyframe at the same frame in all renditions. */
export class Segmenter {
  readonly #renditions: readonly NamedSegmenter[];
  #emitted = 0;

  constructor(
    names: readonly string[],
    segmentSeconds: number,
    private readonly frameSeconds: number,
    private readonly onPart: (part: EncodedPart) => void,
  ) {
    const fullSeconds = segmentSeconds - frameSeconds / 2;
    this.#renditions = names.map((name) => ({ name, segmenter: new RenditionSegmenter(fullSeconds) }));
  }

  /**
   * Adds a fragment of a rendition. Returns the segments that are now complete in all renditions. `correct`: returns the data with
   * times corrected for its position in the segment. Throws MisalignedError.
   */
  add(index: number, fragment: Fragment, correct: Correction = () => fragment.data): EncodedSegment[] {
    const { name, segmenter } = this.#renditions[index] as NamedSegmenter;
    const part = segmenter.add(fragment, correct);
    if (part) this.onPart({ ...part, rendition: name });
    return this.#complete();
  }

  /**
   * Called after the last output of ffmpeg. The last segment may be shorter. If the source lacks frames before its last one,
   * encoded renditions repeat frames, so the renditions may differ by some frames or by a last segment. A last segment that the
   * first rendition lacks has only repeated frames. Throws MisalignedError.
   */
  end(): EncodedSegment[] {
    for (const { segmenter } of this.#renditions) segmenter.end();
    return this.#complete(true);
  }

  #complete(hasEnded = false): EncodedSegment[] {
    const segments: EncodedSegment[] = [];
    for (;;) {
      const first = this.#renditions[0]?.segmenter.segments[0];
      const cuts = this.#renditions.flatMap(({ name, segmenter }) => {
        const cut = segmenter.segments[0];
        return cut ? [{ ...cut, name }] : [];
      });
      if (!first || (cuts.length < this.#renditions.length && !hasEnded)) return segments;
      if (!cuts.every((cut) => isAligned(cut, first, this.frameSeconds * toleranceFrames)))
        throw new MisalignedError(`segment ${this.#emitted} differs between renditions: ${describe(cuts)}`);
      for (const { segmenter } of this.#renditions) segmenter.segments.shift();
      segments.push({
        number: this.#emitted++,
        startSeconds: first.startSeconds,
        durationSeconds: first.durationSeconds,
        renditions: cuts.map(({ name, data, bytes }) => ({ name, data, bytes })),
      });
    }
  }
}

function isAligned(cut: Cut, first: Cut, toleranceSeconds: number): boolean {
  if (Math.abs(cut.startSeconds - first.startSeconds) > toleranceSeconds) return false;
  if (cut.isCutShort || first.isCutShort) return true;
  return Math.abs(cut.durationSeconds - first.durationSeconds) <= toleranceSeconds;
}

function describe(cuts: readonly Cut[]): string {
  return cuts
    .map(({ startSeconds, durationSeconds }) => `${startSeconds.toFixed(3)} + ${durationSeconds.toFixed(3)} s`)
    .join(', ');
}

interface NamedSegmenter {
  readonly name: string;
  readonly segmenter: RenditionSegmenter;
}

interface OpenCut {
  readonly startSeconds: number;
  durationSeconds: number;
  /** End of the frame that is presented last. */
  presentationEndSeconds: number;
  /** The corrected data of the fragments. */
  readonly fragments: (readonly Buffer[])[];
  parts: number;
  /** Corrects the last fragment with video again, as the last one of the segment. */
  endLast: () => void;
}

type RenditionPart = Omit<EncodedPart, 'rendition'>;

/** The segments of one rendition. */
class RenditionSegmenter {
  readonly segments: Cut[] = [];
  #open: OpenCut | null = null;
  #count = 0;
  /** Fragments without video, which belong to the next part. */
  #withoutVideo: Buffer[] = [];

  constructor(private readonly fullSeconds: number) {}

  /** Ends a segment as soon as it is long enough, not when the next one begins. Null for a fragment without video. */
  add({ video }: Fragment, correct: Correction): RenditionPart | null {
    if (!video) {
      if (!this.#open) return null;
      const data = correct({ isFirst: false, isLast: false });
      this.#open.fragments.push(data);
      this.#withoutVideo.push(...data);
      return null;
    }
    const startSeconds = video.startSeconds - timelineBaseSeconds;
    if (!this.#open && !video.isKeyframe)
      throw new MisalignedError(`no keyframe at ${startSeconds.toFixed(3)} s, where a segment begins`);
    const presentationEndSeconds = video.presentationEndSeconds - timelineBaseSeconds;
    const begun = { startSeconds, durationSeconds: 0, presentationEndSeconds, fragments: [], parts: 0 };
    const open = (this.#open ??= { ...begun, endLast: () => {} });
    open.presentationEndSeconds = Math.max(open.presentationEndSeconds, presentationEndSeconds);
    const part = { segment: this.#count, part: open.parts, startSeconds, durationSeconds: video.durationSeconds };
    open.durationSeconds += video.durationSeconds;
    const isLast = open.durationSeconds >= this.fullSeconds;
    const isFirst = open.parts === 0;
    const data = correct({ isFirst, isLast });
    const at = open.fragments.push(data) - 1;
    open.endLast = () => (open.fragments[at] = correct({ isFirst, isLast: true }));
    open.parts += 1;
    const partData = [...this.#withoutVideo, ...data];
    this.#withoutVideo = [];
    if (isLast) this.#close();
    return { ...part, isIndependent: video.isKeyframe, isLast, data: partData };
  }

  /** Called at the end. Ends the segment in progress, although its reported parts do not have `isLast`. */
  end(): void {
    const open = this.#open;
    open?.endLast();
    // If frames before the last one are missing, its presentation ends later than the sum of the durations.
    if (open) open.durationSeconds = Math.max(open.durationSeconds, open.presentationEndSeconds - open.startSeconds);
    this.#close(true);
  }

  #close(isCutShort = false): void {
    if (this.#open) {
      const { startSeconds, durationSeconds, fragments } = this.#open;
      const data = fragments.flat();
      const bytes = data.reduce((sum, { length }) => sum + length, 0);
      this.segments.push({ startSeconds, durationSeconds, isCutShort, data, bytes });
    }
    this.#open = null;
    this.#withoutVideo = [];
    this.#count += 1;
  }
}
