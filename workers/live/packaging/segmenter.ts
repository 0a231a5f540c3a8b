import { timelineBaseSeconds } from './encodingCommand.js';
import type { SegmentEnds, Fragment } from '../../../shared/media/mp4/index.js';

/** Half a second of one rendition, as ffmpeg has written it. */
export interface EncodedPart {
  readonly rendition: string;
  /** Number of its segment within the encoding, and its own number within the segment; both from 0. */
  readonly segment: number;
  readonly part: number;
  /** Since the start of the encoding. */
  readonly startSeconds: number;
  readonly durationSeconds: number;
  readonly isIndependent: boolean;
  /** Its segment has no more parts in this rendition. Not known of the last segment of an encoding. */
  readonly isLast: boolean;
  /**
   * All parts of a segment together are its bytes; the last segment of an encoding may have the rest of the audio behind
   * its last part, and this part another duration of its last frame.
   */
  readonly data: readonly Buffer[];
}

/** A segment in all renditions; the last one of an encoding in those that have frames for it. */
export interface EncodedSegment {
  /** Within the encoding, from 0. */
  readonly number: number;
  /** Since the start of the encoding. */
  readonly startSeconds: number;
  /** Of the first rendition: the last segment of an encoding may be some frames shorter or longer in the others. */
  readonly durationSeconds: number;
  /** In the order of the plan. The first one is always there. */
  readonly renditions: readonly { readonly name: string; readonly data: readonly Buffer[]; readonly bytes: number }[];
}

/** The renditions cannot be cut at the same frames. */
export class MisalignedError extends Error {}

/** Segments of a copied and an encoded rendition may begin so many frames apart, because the latter have constant frames. */
const toleranceFrames = 0.6;

type Correction = (ends: SegmentEnds) => readonly Buffer[];

interface Cut {
  readonly startSeconds: number;
  readonly durationSeconds: number;
  /** The encoding has ended before it was full. */
  readonly isCutShort: boolean;
  readonly data: readonly Buffer[];
  readonly bytes: number;
}

/** Joins the fragments of every rendition into segments, each of which begins with a keyframe at the same frame in all. */
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
   * Takes a fragment of a rendition; returns the segments that are now complete in all. `correct`: its data with the times of
   * its place in the segment. Throws MisalignedError.
   */
  add(index: number, fragment: Fragment, correct: Correction = () => fragment.data): EncodedSegment[] {
    const { name, segmenter } = this.#renditions[index] as NamedSegmenter;
    const part = segmenter.add(fragment, correct);
    if (part) this.onPart({ ...part, rendition: name });
    return this.#complete();
  }

  /**
   * To be called when ffmpeg has written everything: the last segment may be shorter. An encoder may leave out frames that are
   * presented before the last one, which a rendition that is encoded repeats: the renditions then differ by some frames, or
   * by a last segment. Each keeps what it has; a segment that the first one does not have contains repeated frames alone.
   * Throws MisalignedError.
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
  /** When the frame that is presented last ends. */
  presentationEndSeconds: number;
  /** Their corrected data. */
  readonly fragments: (readonly Buffer[])[];
  parts: number;
  /** Corrects the last one with video again, as the last one of the segment. */
  endLast: () => void;
}

type RenditionPart = Omit<EncodedPart, 'rendition'>;

/** The segments of one rendition. */
class RenditionSegmenter {
  readonly segments: Cut[] = [];
  #open: OpenCut | null = null;
  #count = 0;
  /** Fragments without video: they belong to the next part. */
  #withoutVideo: Buffer[] = [];

  constructor(private readonly fullSeconds: number) {}

  /** A segment ends as soon as it is long enough, not when the next one begins. Null for a fragment without video. */
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

  /** Nothing more follows. The parts that were handed out say that their segment goes on; the segment itself ends. */
  end(): void {
    const open = this.#open;
    open?.endLast();
    // Frames before the last one may be missing: then it is presented later than so many frames last.
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
