import type { Readable } from 'node:stream';
import type { LiveRendition } from '../../../shared/streaming/liveRendition.js';
import { CaptureClock } from './captureClock.js';
import { changedPlan } from './changedPlan.js';
import { runEncoding, type EncodingEnd } from './encoding.js';
import type { EncodingStart } from './encodingStart.js';
import { planEncoding, withoutCopy, withoutCostliest, type EncodingPlan } from './encodingPlan.js';
import { observe } from './firstSeconds.js';
import type { Initialisation } from '../../../shared/media/mp4/fragmentReader.js';
import { endAfter, readSource } from './liveSource.js';
import { maximumPixels, type MediaTag } from './mediaTag.js';
import type { PackageOptions } from './packageOptions.js';
import { packagingMetrics, type PackagingMetrics } from './packagingMetrics.js';
import { peakBandwidthOf } from './peakBandwidth.js';
import { openPulledStream, SourceError } from './pulledStream.js';
import { RestartCount } from './restartCount.js';
import { RunTimeline } from './runTimeline.js';
import type { EncodedSegment } from './segmenter.js';
import { SegmentWriter } from './segmentWriter.js';
import { StillMaker } from './stillMaker.js';
import { TagWindow } from './tagWindow.js';

/** Of one run, in a minute. */
const maximumFailures = 5;
const maximumChanges = 12;

/** Packages one run: one ffmpeg process after the other, over one timeline and one sequence of segments. */
export class RunPackager {
  readonly #options: PackageOptions;
  readonly #metrics: PackagingMetrics;
  readonly #window = new TagWindow();
  readonly #writer: SegmentWriter;
  readonly #stills: StillMaker;
  /** Aborts at the end of the run, at the latest. */
  readonly #stop = new AbortController();
  readonly #failures = new RestartCount();
  readonly #changes = new RestartCount();
  readonly #captured = new CaptureClock();
  #isLost = false;
  #hadVideo = false;
  #media: readonly LiveRendition[] = [];
  #encodings = 0;

  /** `now`: the time of the database, in milliseconds. */
  constructor(
    options: PackageOptions,
    private readonly now: () => number,
  ) {
    this.#options = options;
    this.#metrics = packagingMetrics(options.ctx.metrics);
    this.#writer = new SegmentWriter({
      ...{ ctx: options.ctx, log: options.log, run: options.run, signal: this.#stop.signal },
      onLost: () => {
        this.#isLost = true;
        this.#stop.abort();
      },
      onFailed: () => this.#stop.abort(),
    });
    const { ctx, log, run } = options;
    this.#stills = new StillMaker({ ctx, log, run, maximumPixels: this.#maximumPixels() });
  }

  async run(): Promise<{ reason: string }> {
    const { signal, source } = this.#options;
    const abort = (): void => this.#stop.abort();
    signal.addEventListener('abort', abort, { once: true });
    this.#stop.signal.addEventListener('abort', () => this.#window.end(), { once: true });
    if (signal.aborted) abort();
    const release = source.kind === 'flv' && source.ended ? endAfter(source.ended, this.#window) : null;
    let stream: Readable | null = null;
    try {
      if (source.kind === 'flv') stream = source.stream;
      else stream = await openPulledStream(this.#options.ctx.config, source.url, this.#stop.signal);
      const timeline = new RunTimeline(() => this.#captured.timeAt(this.now()));
      const ended = readSource(stream, this.#window, timeline, (tags, bytes) => this.#noteArrival(tags, bytes));
      // It is awaited later.
      ended.catch(() => {});
      const failure = await this.#package();
      this.#window.end();
      await this.#writer.drain();
      stream.destroy();
      const sourceEnd = await ended;
      const reason = failure ?? (this.#encodings === 0 && sourceEnd === 'source ended' ? 'no media' : sourceEnd);
      return { reason: this.#isLost ? 'lease lost' : signal.aborted ? 'stopped' : reason };
    } catch (error) {
      if (error instanceof SourceError) return { reason: error.message };
      throw error;
    } finally {
      release?.();
      stream?.destroy();
      this.#stop.abort();
      signal.removeEventListener('abort', abort);
      await this.#stills.close();
    }
  }

  /** Null at the end of the source; else why the run cannot go on. */
  async #package(): Promise<string | null> {
    const { renditionHeights } = this.#options.ctx.config.live;
    const { signal } = this.#stop;
    while (!this.#window.hasObservedEnough && !this.#window.isEnded) await this.#window.changed();
    const observed = observe(this.#window.tags);
    if (!observed) return null;
    let plan = planEncoding(observed, renditionHeights);
    let fromMs = 0;
    for (;;) {
      const start = await this.#window.rewind(plan, fromMs);
      if (!start || signal.aborted) return null;
      const end = await this.#encode(plan, start);
      if (signal.aborted || end.kind === 'finished') return null;
      fromMs = end.endMs;
      this.#hadVideo ||= plan.video !== null;
      const next = this.#planAfter(plan, end);
      if (typeof next === 'string') return next;
      plan = next;
    }
  }

  #encode(plan: EncodingPlan, start: EncodingStart): Promise<EncodingEnd> {
    const { ctx, log } = this.#options;
    const { media, live } = ctx.config;
    const { steps, isTopCopied, video, audio } = plan;
    log.info(
      { renditions: steps.map(({ name }) => name), isTopCopied, video: !!video, audio: !!audio },
      'live encoding started',
    );
    let isNew = this.#encodings > 0;
    const encoding = this.#encodings++;
    const renditions = steps.map(({ name }) => name);
    return runEncoding({
      ...{ ffmpegPath: media.ffmpegPath, plan, start, window: this.#window, signal: this.#stop.signal },
      settings: { preset: live.preset, maximumPixels: this.#maximumPixels() },
      onSegment: async (segment, initialisations) => {
        const isDiscontinuous = isNew;
        isNew = false;
        await this.#store(plan, start, segment, initialisations, { encoding, isDiscontinuous });
      },
      onPart: (part, initialisation) => {
        const startsAt = this.#capturedAt(start, part.startSeconds);
        if (startsAt) this.#options.onPart?.({ ...part, encoding, startsAt, renditions, initialisation });
      },
    });
  }

  /** What the run goes on with, or why it cannot. */
  #planAfter(plan: EncodingPlan, end: EncodingEnd): EncodingPlan | string {
    const { log, ctx } = this.#options;
    if (end.kind === 'finished') return plan;
    const reason = end.kind === 'changed' ? end.change : end.kind;
    const detail = 'detail' in end ? end.detail : undefined;
    this.#metrics.restarted(reason);
    log.warn({ reason, detail, atSeconds: end.endMs / 1000 }, 'live encoding restarted');
    if (end.kind === 'changed') {
      if (this.#changes.note() > maximumChanges) return 'the stream changes too often';
      const state = { hadVideo: this.#hadVideo, heights: ctx.config.live.renditionHeights };
      return changedPlan(plan, { ...end, tags: this.#window.tags }, state);
    }
    if (end.kind === 'behind') return this.#shed(plan);
    const failures = this.#failures.note();
    if (failures > maximumFailures) return `ffmpeg failed: ${detail?.split('\n', 2).join(': ')}`;
    // A copy that fails again may be the cause.
    return plan.isTopCopied && (end.kind === 'misaligned' || failures > 1) ? withoutCopy(plan) : plan;
  }

  #shed(plan: EncodingPlan): EncodingPlan {
    const { log, onShed } = this.#options;
    const less = withoutCostliest(plan);
    if (!less) {
      log.warn('live encoding slower than real time, no rendition left to drop');
      return plan;
    }
    const remaining = less.steps.map(({ name }) => name);
    const name = plan.steps.find((step) => !remaining.includes(step.name))?.name ?? '';
    log.warn({ rendition: name, remaining }, 'live encoding slower than real time, rendition dropped');
    this.#metrics.shed();
    onShed?.({ name, remaining });
    return less;
  }

  async #store(
    plan: EncodingPlan,
    start: EncodingStart,
    segment: EncodedSegment,
    initialisations: readonly Initialisation[],
    { encoding, isDiscontinuous }: { readonly encoding: number; readonly isDiscontinuous: boolean },
  ): Promise<void> {
    const startsAt = this.#capturedAt(start, segment.startSeconds);
    if (!startsAt) return;
    const durationMs = segment.durationSeconds * 1000;
    const packaged = { encoding, segment: segment.number };
    this.#options.onComplete?.(packaged);
    const files = segment.renditions.map((rendition, index) => ({
      ...rendition,
      initialisation: (initialisations[index] as Initialisation).data,
    }));
    if (plan.video) this.#stills.note({ startsAt, files });
    await this.#writer.add({
      startsAt,
      durationMicroseconds: Math.round(durationMs * 1000),
      isDiscontinuous,
      media: this.#mediaOf(plan, initialisations),
      files,
      onListed: () => {
        this.#metrics.listed((this.now() - startsAt.getTime() - durationMs) / 1000);
        this.#options.onStored?.(packaged);
      },
    });
  }

  /** When the frame at this time of an encoding was captured. Null before the first media. */
  #capturedAt({ startMs }: EncodingStart, seconds: number): Date | null {
    return this.#captured.dateOf(startMs + seconds * 1000);
  }

  /** The same object as long as nothing changes. */
  #mediaOf(plan: EncodingPlan, initialisations: readonly Initialisation[]): readonly LiveRendition[] {
    const media = plan.steps.map((step, index) => {
      const { name, width, height } = step;
      const isCopy = plan.isTopCopied && index === 0;
      const peakBitrate = peakBandwidthOf(plan, step, isCopy);
      const codecs = initialisations[index]?.codecs ?? '';
      return { name, width, height, frameRate: plan.frameRate[0] / plan.frameRate[1], codecs, peakBitrate, isCopy };
    });
    if (JSON.stringify(media) !== JSON.stringify(this.#media)) this.#media = media;
    return this.#media;
  }

  #maximumPixels(): number {
    return Math.min(this.#options.ctx.config.media.maximumPixels, maximumPixels);
  }

  #noteArrival(tags: readonly MediaTag[], bytes: number): void {
    const latestMs = tags.reduce((latest, { timeMs }) => Math.max(latest, timeMs), Number.NEGATIVE_INFINITY);
    this.#captured.note(latestMs, this.now());
    this.#options.onMedia?.(this.#options.ctx.clock.now(), bytes);
  }
}
