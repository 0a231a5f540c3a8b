import type { Initialisation } from '../../../shared/media/mp4/index.js';
import type { LiveRendition } from '../../../shared/streaming/liveRendition.js';
import type { CaptionChannel } from '../../../shared/media/closedCaptions/index.js';
import type { CaptureClock } from './captureClock.js';
import type { EncodingPlan } from './encodingPlan.js';
import type { EncodingStart } from './encodingStart.js';
import { maxPixels } from './mediaTag.js';
import type { PackageOptions } from './packageOptions.js';
import type { PackagingMetrics } from './packagingMetrics.js';
import { peakBandwidthOf } from './peakBandwidth.js';
import type { EncodedPart, EncodedSegment } from './segmenter.js';
import { SegmentWriter } from './segmentWriter.js';
import { StillImageWriter } from './stillImageWriter.js';

/** The encoding that created a part or a segment. */
export interface OutputOf {
  /** Number of the encoding in the run, from 0. */
  readonly number: number;
  readonly plan: EncodingPlan;
  readonly start: EncodingStart;
}

interface OutputOptions {
  readonly packaging: PackageOptions;
  readonly metrics: PackagingMetrics;
  readonly captured: CaptureClock;
  /** The closed caption channels that the encoder has sent so far. */
  readonly closedCaptions: () => readonly CaptionChannel[];
  /** The time of the database, in milliseconds. */
  readonly now: () => number;
  /** Aborts if nothing more may be written. */
  readonly signal: AbortSignal;
  /** Called when the run belongs to another process, or to none. */
  readonly onLost: () => void;
  /** Called when a segment, and therefore every later one, cannot be stored: `drain` rejects with the reason. */
  readonly onFailed: () => void;
}

/** Dates, stores and reports the output of a run's encodings. */
export class RunOutput {
  readonly #options: OutputOptions;
  readonly #writer: SegmentWriter;
  readonly #stillImages: StillImageWriter;
  #media: readonly LiveRendition[] = [];
  /** The encoding of the last segment. */
  #encoding = 0;

  constructor(options: OutputOptions) {
    const { packaging, signal, onLost, onFailed } = options;
    const { ctx, log, run } = packaging;
    this.#options = options;
    this.#writer = new SegmentWriter({ ctx, log, run, signal, onLost, onFailed });
    this.#stillImages = new StillImageWriter({ ctx, log, run, maxPixels: largestFrame(packaging) });
  }

  part(encoding: OutputOf, part: EncodedPart, initialisation: Buffer): void {
    const startsAt = this.#capturedAt(encoding, part.startSeconds);
    if (!startsAt) return;
    const renditions = encoding.plan.steps.map(({ name }) => name);
    this.#options.packaging.onPart?.({ ...part, encoding: encoding.number, startsAt, renditions, initialisation });
  }

  /** Called for each segment, in order. Resolves when there is space for another one. */
  async segment(
    encoding: OutputOf,
    segment: EncodedSegment,
    initialisations: readonly (Initialisation | null)[],
  ): Promise<void> {
    const { metrics, now } = this.#options;
    const { onComplete, onStored } = this.#options.packaging;
    const isDiscontinuous = encoding.number !== this.#encoding;
    this.#encoding = encoding.number;
    const startsAt = this.#capturedAt(encoding, segment.startSeconds);
    if (!startsAt) return;
    const durationMs = segment.durationSeconds * 1000;
    const packaged = { encoding: encoding.number, segment: segment.number };
    onComplete?.(packaged);
    const { steps } = encoding.plan;
    const files = segment.renditions.flatMap((rendition) => {
      const initialisation = initialisations[steps.findIndex(({ name }) => name === rendition.name)];
      return initialisation ? [{ ...rendition, initialisation: initialisation.data }] : [];
    });
    if (encoding.plan.video) this.#stillImages.note({ startsAt, files });
    await this.#writer.add({
      startsAt,
      durationMicroseconds: Math.round(durationMs * 1000),
      isDiscontinuous,
      media: this.#mediaOf(encoding.plan, initialisations),
      files,
      onListed: () => {
        metrics.listed((now() - startsAt.getTime() - durationMs) / 1000);
        onStored?.(packaged);
      },
    });
  }

  /** Resolves when every segment is stored, or the signal has aborted. Rejects if one cannot be stored. */
  drain(): Promise<void> {
    return this.#writer.drain();
  }

  close(): Promise<void> {
    return this.#stillImages.close();
  }

  /** Capture time of the frame at this time of an encoding. Null before the first media. */
  #capturedAt({ start }: OutputOf, seconds: number): Date | null {
    return this.#options.captured.dateOf(start.startMs + seconds * 1000);
  }

  /** Returns the same object until the renditions change. */
  #mediaOf(plan: EncodingPlan, initialisations: readonly (Initialisation | null)[]): readonly LiveRendition[] {
    const closedCaptions = this.#options.closedCaptions();
    const captioned = closedCaptions.length > 0 ? { closedCaptions } : {};
    const media = plan.steps.flatMap((step, index) => {
      const { name, width, height } = step;
      const codecs = initialisations[index]?.codecs;
      if (codecs === undefined) return [];
      const isCopy = plan.isTopCopied && index === 0;
      const peakBitrate = peakBandwidthOf(plan, step, isCopy);
      const frameRate = plan.frameRate[0] / plan.frameRate[1];
      return [{ name, width, height, frameRate, codecs, peakBitrate, isCopy, ...captioned }];
    });
    if (JSON.stringify(media) !== JSON.stringify(this.#media)) this.#media = media;
    return this.#media;
  }
}

/** Maximum pixels of a decoded frame. */
export function largestFrame({ ctx }: Pick<PackageOptions, 'ctx'>): number {
  return Math.min(ctx.config.media.maxPixels, maxPixels);
}
