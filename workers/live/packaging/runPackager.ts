import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import pLimit from 'p-limit';
import { CaptionWatch } from './captionWatch.js';
import { CaptureClock } from './captureClock.js';
import { Encoder } from './encoder.js';
import { planEncoding, type EncodingPlan } from './encodingPlan.js';
import { EventQueue, Gate } from './eventQueue.js';
import { observe } from './firstSeconds.js';
import { InputWatch, type InputChange } from './inputWatch.js';
import type { MediaTag } from './mediaTag.js';
import type { PackageOptions } from './packageOptions.js';
import { packagingMetrics, type PackagingMetrics } from './packagingMetrics.js';
import { PlanSuccession } from './planSuccession.js';
import { checkEveryMs, EncodingProgress } from './progress.js';
import { largestFrame, RunOutput } from './runOutput.js';
import {
  faultOf,
  type Encoding,
  type EncodingEnd,
  type PackagingEvent,
  type PackagingState,
} from './packagingState.js';
import { RunTimeline } from './runTimeline.js';
import { SourceReader } from './sourceReader.js';
import { Intake, TagWindow } from './tagWindow.js';

/** Limits of one write to ffmpeg; `parts` limits tiny tags and replacements of a missing track. */
const batchLimits = { bytes: 64 * 1024, parts: 3000 };
/** Starting a process blocks the event loop for some ten milliseconds, so each start has its own iteration. */
const starts = pLimit(1);

/**
 * Packages one run with successive ffmpeg processes, on one timeline and in one sequence of segments. All events are in one queue,
 * and only `#next` changes the state.
 */
export class RunPackager {
  readonly #options: PackageOptions;
  readonly #metrics: PackagingMetrics;
  readonly #events = new EventQueue<PackagingEvent>();
  readonly #window = new TagWindow();
  readonly #output: RunOutput;
  readonly #intake = new Intake(this.#window);
  /** Closed while there is no space for segments: ffmpeg has to wait. */
  readonly #outputGate = new Gate();
  readonly #captured = new CaptureClock();
  readonly #captions = new CaptionWatch();
  readonly #plans: PlanSuccession;
  /** Aborts if nothing more may be written, and at the end. */
  readonly #stop = new AbortController();
  readonly #source: SourceReader;
  #sourceEnd: string | null = null;
  #isLost = false;
  #hadVideo = false;
  #encodings = 0;
  #encoder: Encoder | null = null;

  /** `now`: the time of the database, in milliseconds. */
  constructor(
    options: PackageOptions,
    private readonly now: () => number,
  ) {
    this.#options = options;
    this.#metrics = packagingMetrics(options.ctx.metrics);
    this.#plans = new PlanSuccession(options, this.#metrics);
    this.#output = new RunOutput({
      ...{ packaging: options, metrics: this.#metrics, captured: this.#captured, now, signal: this.#stop.signal },
      closedCaptions: () => this.#captions.seen,
      onLost: () => {
        this.#isLost = true;
        this.#abort();
      },
      onFailed: () => this.#abort(),
    });
    this.#source = new SourceReader({
      ...{ packaging: options, gate: this.#intake.gate, signal: this.#stop.signal },
      timeline: new RunTimeline(() => this.#captured.timeAt(this.now())),
      report: (event) => this.#events.push(event),
    });
  }

  async run(): Promise<{ reason: string }> {
    const { signal } = this.#options;
    const abort = (): void => this.#abort();
    signal.addEventListener('abort', abort, { once: true });
    if (signal.aborted) abort();
    const ticks = setInterval(() => this.#events.push({ kind: 'tick' }), checkEveryMs);
    void this.#source.read();
    try {
      const failure = await this.#packaged();
      await this.#output.drain();
      const sourceEnd = this.#sourceEnd ?? 'source ended';
      const reason = failure ?? (this.#encodings === 0 && sourceEnd === 'source ended' ? 'no media' : sourceEnd);
      return { reason: this.#isLost ? 'lease lost' : signal.aborted ? 'stopped' : reason };
    } finally {
      clearInterval(ticks);
      signal.removeEventListener('abort', abort);
      this.#stop.abort();
      this.#source.close();
      this.#intake.open();
      await this.#encoder?.close();
      await this.#output.close();
    }
  }

  /** Processes events until the run ends. Null: the source has ended. Rejects on programming errors. */
  async #packaged(): Promise<string | null> {
    let state: PackagingState = { name: 'OBSERVING' };
    for await (const event of this.#events) {
      state = this.#next(state, event);
      if (state.name === 'ENDED') return state.reason;
    }
    return null;
  }

  #next(state: PackagingState, event: PackagingEvent): PackagingState {
    if (event.kind === 'error') throw event.error;
    if (event.kind === 'stopped') return { name: 'ENDED', reason: null };
    if (event.kind === 'media') this.#arrive(event.tags, event.bytes);
    if (event.kind === 'sourceEnded') this.#sourceEnd = event.reason;
    switch (state.name) {
      case 'OBSERVING':
        return this.#observe(state);
      case 'SEEKING':
        return this.#seek(state);
      case 'STARTING':
        return event.kind === 'startAllowed' ? this.#start(state.plan, state) : state;
      case 'ENCODING':
        return this.#encode(state, event);
      case 'FINISHING':
        return this.#finish(state, event);
      case 'STOPPING':
        return event.kind === 'encoderEnded' ? this.#goOn(state.encoding, state.end) : state;
      case 'ENDED':
        return state;
    }
  }

  #observe(state: PackagingState): PackagingState {
    if (!this.#window.hasObservedEnough && this.#sourceEnd === null) return state;
    const observed = observe(this.#window.tags);
    if (!observed) return { name: 'ENDED', reason: null };
    return this.#seekAnew(planEncoding(observed, this.#options.ctx.config.live.renditionHeights), 0);
  }

  #seekAnew(plan: EncodingPlan, fromMs: number): PackagingState {
    this.#window.rewind(plan);
    return this.#seek({ name: 'SEEKING', plan, fromMs });
  }

  #seek(state: Extract<PackagingState, { name: 'SEEKING' }>): PackagingState {
    const { plan, fromMs } = state;
    const start = this.#window.findStart(plan, fromMs);
    if (!start) return this.#sourceEnd === null ? state : { name: 'ENDED', reason: null };
    void starts(() => yieldToEventLoop()).then(() => this.#events.push({ kind: 'startAllowed' }));
    return { name: 'STARTING', plan, start };
  }

  #start(plan: EncodingPlan, { start }: Extract<PackagingState, { name: 'STARTING' }>): PackagingState {
    const { log, ctx } = this.#options;
    const { steps, isTopCopied, video, audio } = plan;
    log.info(
      { renditions: steps.map(({ name }) => name), isTopCopied, video: !!video, audio: !!audio },
      'live encoding started',
    );
    const encoder = new Encoder({
      ...{ ffmpegPath: ctx.config.media.ffmpegPath, plan, start, outputGate: this.#outputGate },
      settings: { preset: ctx.config.live.preset, maxPixels: largestFrame(this.#options) },
      report: (event) => this.#events.push(event),
    });
    this.#encoder = encoder;
    const inputWatch = new InputWatch(plan, start.startMs);
    const progress = new EncodingProgress(start.startMs, performance.now());
    const number = this.#encodings++;
    return this.#feed({ number, plan, start, encoder, inputWatch, progress, endMs: start.startMs });
  }

  #encode(state: Extract<PackagingState, { name: 'ENCODING' }>, event: PackagingEvent): PackagingState {
    const { encoding } = state;
    switch (event.kind) {
      case 'media':
      case 'sourceEnded':
      case 'inputFree':
        return this.#feed(encoding);
      case 'encoderEnded':
        return this.#goOn(encoding, { kind: 'failed', detail: event.detail });
      default:
        return this.#watch(state, event, Number.POSITIVE_INFINITY);
    }
  }

  #finish(state: Extract<PackagingState, { name: 'FINISHING' }>, event: PackagingEvent): PackagingState {
    const { encoding, end, completeUntilMs } = state;
    if (event.kind !== 'encoderEnded') return this.#watch(state, event, completeUntilMs);
    return this.#goOn(encoding, event.isClean ? end : { kind: 'failed', detail: event.detail });
  }

  /** Handles the output and progress of ffmpeg. */
  #watch(
    state: Extract<PackagingState, { name: 'ENCODING' | 'FINISHING' }>,
    event: PackagingEvent,
    completeUntilMs: number,
  ): PackagingState {
    const { encoding } = state;
    switch (event.kind) {
      case 'part': {
        const { startSeconds, durationSeconds } = event.part;
        encoding.progress.note(encoding.start.startMs + (startSeconds + durationSeconds) * 1000, performance.now());
        this.#output.part(encoding, event.part, event.initialisation);
        return state;
      }
      case 'segment':
        this.#store(encoding, event, completeUntilMs);
        return state;
      case 'tick': {
        const end = faultOf(encoding.progress, this.#window, this.#outputGate.isOpen);
        return end ? this.#kill(encoding, end) : state;
      }
      case 'outputRefused':
        return this.#kill(encoding, { kind: event.reason, detail: event.detail });
      default:
        return state;
    }
  }

  /** Writes media to ffmpeg while it accepts data, until the source ends or changes. */
  #feed(encoding: Encoding): PackagingState {
    const { encoder, inputWatch } = encoding;
    const window = this.#window;
    while (encoder.isFree && window.isWaiting) {
      const parts: Buffer[] = [];
      let bytes = 0;
      let change: InputChange | null = null;
      const hasSpace = (): boolean => bytes < batchLimits.bytes && parts.length < batchLimits.parts;
      let tag = window.peek();
      for (; tag && hasSpace(); tag = window.peek()) {
        change = inputWatch.check(tag);
        if (change) break;
        parts.push(...encoder.partsOf(tag));
        bytes += tag.payload.length;
        window.take();
      }
      encoder.write(parts);
      if (!change || !tag) continue;
      encoder.endInput();
      const completeUntilMs = inputWatch.completeUntil(change);
      return { name: 'FINISHING', encoding, end: { kind: 'changed', change, tag }, completeUntilMs };
    }
    this.#intake.regulate();
    if (window.isWaiting || this.#sourceEnd === null) return { name: 'ENCODING', encoding };
    encoder.endInput();
    return { name: 'FINISHING', encoding, end: { kind: 'finished' }, completeUntilMs: Number.POSITIVE_INFINITY };
  }

  #kill(encoding: Encoding, end: EncodingEnd): PackagingState {
    encoding.encoder.kill();
    return { name: 'STOPPING', encoding, end };
  }

  #store(
    encoding: Encoding,
    { segment, initialisations }: Extract<PackagingEvent, { kind: 'segment' }>,
    completeUntilMs: number,
  ): void {
    const endMs = encoding.start.startMs + (segment.startSeconds + segment.durationSeconds) * 1000;
    if (endMs > completeUntilMs) return;
    encoding.endMs = endMs;
    this.#window.release(endMs);
    const open = this.#outputGate.close();
    this.#output
      .segment(encoding, segment, initialisations)
      .catch((error: unknown) => this.#events.push({ kind: 'error', error }))
      .finally(open);
  }

  /** ffmpeg has ended: the run continues with another plan at the end of its last segment, or ends. */
  #goOn({ plan, endMs }: Encoding, end: EncodingEnd): PackagingState {
    this.#hadVideo ||= plan.video !== null;
    if (end.kind === 'finished') return { name: 'ENDED', reason: null };
    const reason = end.kind === 'changed' ? end.change : end.kind;
    const detail = 'detail' in end ? end.detail : undefined;
    this.#metrics.restarted(reason);
    this.#options.log.warn({ reason, detail, atSeconds: endMs / 1000 }, 'live encoding restarted');
    const next = this.#plans.after(plan, end, { hadVideo: this.#hadVideo, tags: this.#window.tags });
    return typeof next === 'string' ? { name: 'ENDED', reason: next } : this.#seekAnew(next, endMs);
  }

  #arrive(tags: readonly MediaTag[], bytes: number): void {
    const latestMs = tags.reduce((latest, { timeMs }) => Math.max(latest, timeMs), Number.NEGATIVE_INFINITY);
    this.#captured.note(latestMs, this.now());
    this.#options.onMedia?.(this.#options.ctx.clock.now(), bytes);
    for (const tag of tags) this.#captions.note(tag);
    this.#window.push(tags);
    this.#intake.regulate();
  }

  #abort(): void {
    this.#stop.abort();
    this.#events.push({ kind: 'stopped' });
  }
}
