import type { Writable } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';
import pLimit from 'p-limit';
import { encodingCommand, type EncodingSettings } from './encodingCommand.js';
import type { EncodingPlan } from './encodingPlan.js';
import { startEncoder, type EncoderProcess } from './encoderProcess.js';
import type { EncodingStart } from './encodingStart.js';
import { flvHeader, flvTag } from './flvWriter.js';
import { audioLeadsOf, FragmentTimes } from './fragmentTimes.js';
import { FragmentReader, type Fragment, type Initialisation } from '../../../shared/media/mp4/fragmentReader.js';
import { InputWatch, type InputChange } from './inputWatch.js';
import type { MediaTag } from './mediaTag.js';
import { isProgrammingError } from './programmingError.js';
import { ProgressWatch } from './progressWatch.js';
import { ReplacementClock, silence, still } from './replacement.js';
import { MisalignedError, Segmenter, type EncodedPart, type EncodedSegment } from './segmenter.js';
import type { TagWindow } from './tagWindow.js';

/** How an encoding has ended. `endMs`: where the next one goes on, on the timeline of the run. */
export type EncodingEnd = { readonly endMs: number } & (
  | { readonly kind: 'finished' }
  | { readonly kind: 'changed'; readonly change: InputChange; readonly tag: MediaTag }
  | { readonly kind: 'behind' }
  | { readonly kind: 'misaligned' | 'failed'; readonly detail: string }
);

export interface EncodingOptions {
  readonly ffmpegPath: string;
  readonly settings: EncodingSettings;
  readonly plan: EncodingPlan;
  readonly start: EncodingStart;
  readonly window: TagWindow;
  /** Kills ffmpeg. */
  readonly signal: AbortSignal;
  /** Called in order. While it has not resolved, ffmpeg has to wait. */
  readonly onSegment: (segment: EncodedSegment, initialisations: readonly Initialisation[]) => Promise<void>;
  readonly onPart: (part: EncodedPart, initialisation: Buffer) => void;
}

/** What is written to ffmpeg at once; of tiny tags, and of tags that replace a missing track, the number counts. */
const batchLimits = { bytes: 64 * 1024, parts: 3000 };

/** Starting a process occupies the event loop for some ten milliseconds, so several start in turns of their own. */
const starts = pLimit(1);

/** Runs one ffmpeg process until its input ends or changes, or until it fails. Rejects on errors of our own only. */
export async function runEncoding(options: EncodingOptions): Promise<EncodingEnd> {
  await starts(() => nextTurn());
  const encoding = new Encoding(options);
  return encoding.run();
}

class Encoding {
  readonly #options: EncodingOptions;
  readonly #process: EncoderProcess;
  readonly #segmenter: Segmenter;
  readonly #times: readonly FragmentTimes[];
  readonly #readers: readonly FragmentReader[];
  readonly #progress: ProgressWatch;
  /** Segments are handed on one after the other. */
  #handedOn: Promise<void> = Promise.resolve();
  #endMs: number;
  #failure: EncodingEnd | null = null;
  /** An error of our own: no other ffmpeg would change it. */
  #error: unknown = null;
  #hasEnded = false;
  /** Segments that end later are not handed on: they lack a track. */
  #lastMs = Number.POSITIVE_INFINITY;

  constructor(options: EncodingOptions) {
    const { plan, start, settings, window } = options;
    this.#options = options;
    this.#endMs = start.startMs;
    const leads = audioLeadsOf(plan, start, settings.preset);
    const parameters = encodingCommand(plan, (start.startMs - start.originMs) / 1000, settings, leads);
    this.#process = startEncoder(options.ffmpegPath, parameters, plan.steps.length);
    this.#readers = plan.steps.map(() => new FragmentReader());
    this.#progress = new ProgressWatch({
      ...{ startMs: start.startMs, window },
      onBehind: () => this.#fail({ kind: 'behind', endMs: this.#endMs }),
      onStalled: (detail) => this.#fail({ kind: 'failed', detail, endMs: this.#endMs }),
    });
    const [rate, scale] = plan.frameRate;
    this.#segmenter = new Segmenter(
      plan.steps.map(({ name }) => name),
      plan.segmentSeconds,
      scale / rate,
      (part) => this.#notePart(part),
    );
    this.#times = plan.steps.map(
      (_, index) => new FragmentTimes(plan.isTopCopied && index === 0 ? leads.copied : leads.encoded),
    );
  }

  async run(): Promise<EncodingEnd> {
    const { signal } = this.#options;
    const abort = (): void => this.#process.kill();
    signal.addEventListener('abort', abort, { once: true });
    if (signal.aborted) abort();
    const ended = this.#process.ended.finally(() => {
      this.#hasEnded = true;
      this.#options.window.wake();
    });
    try {
      const reading = Promise.all(this.#process.outputs.map((output, index) => this.#read(output, index)));
      const change = await this.#feed();
      const { isClean, detail } = await ended;
      await reading;
      if (this.#error !== null) throw this.#error;
      if (isClean && !this.#failure) this.#handOn(this.#segmenter.end());
      await this.#handedOn;
      if (this.#failure) return { ...this.#failure, endMs: this.#endMs };
      const endMs = this.#endMs;
      if (change && isClean) return { kind: 'changed', ...change, endMs };
      return isClean && this.#options.window.isExhausted
        ? { kind: 'finished', endMs }
        : { kind: 'failed', detail, endMs };
    } finally {
      this.#progress.stop();
      this.#process.kill();
      signal.removeEventListener('abort', abort);
    }
  }

  #fail(failure: EncodingEnd): void {
    this.#failure ??= failure;
    this.#process.kill();
  }

  /** Writes media to ffmpeg until the source ends or changes, or ffmpeg has ended. */
  async #feed(): Promise<{ change: InputChange; tag: MediaTag } | null> {
    const { plan, start, window, signal } = this.#options;
    const { input } = this.#process;
    const watch = new InputWatch(plan, start.startMs);
    const write = createTagWriter(plan, start);
    let found: { change: InputChange; tag: MediaTag } | null = null;
    let batch: Buffer[] = write.opening();
    // A process that does not read any more takes everything at once: nothing would be left for the next one.
    while (!found && !this.#hasEnded && !signal.aborted && !input.destroyed) {
      let bytes = 0;
      const hasSpace = (): boolean => bytes < batchLimits.bytes && batch.length < batchLimits.parts;
      for (let tag = window.peek(); tag && hasSpace(); tag = window.peek()) {
        const change = watch.check(tag);
        if (change) found = { change, tag };
        if (change) break;
        batch.push(...write.tag(tag));
        bytes += tag.payload.length;
        window.take();
      }
      if (batch.length > 0 && !input.write(Buffer.concat(batch))) await drained(input);
      batch = [];
      if (found || window.isExhausted) break;
      if (!window.peek() && !this.#hasEnded) await window.changed();
    }
    if (found) this.#lastMs = watch.completeUntil(found.change);
    input.end();
    return found;
  }

  async #read(output: AsyncIterable<Buffer>, index: number): Promise<void> {
    const reader = this.#readers[index] as FragmentReader;
    try {
      for await (const block of output) {
        if (this.#failure || this.#error !== null) continue;
        for (const fragment of reader.push(block)) await this.#take(index, fragment);
      }
    } catch (error) {
      if (isProgrammingError(error)) {
        this.#error ??= error;
        return this.#process.kill();
      }
      const kind = error instanceof MisalignedError ? 'misaligned' : 'failed';
      this.#fail({ kind, detail: (error as Error).message, endMs: this.#endMs });
    }
  }

  async #take(index: number, fragment: Fragment): Promise<void> {
    const tracks = this.#readers[index]?.initialisation?.tracks ?? [];
    const times = this.#times[index] as FragmentTimes;
    const segments = this.#segmenter.add(index, fragment, (ends) => times.correct(fragment.data, tracks, ends));
    if (segments.length === 0) return;
    this.#handOn(segments);
    const resume = this.#progress.pause();
    await this.#handedOn;
    resume();
  }

  #handOn(segments: readonly EncodedSegment[]): void {
    const { onSegment, start, window } = this.#options;
    const initialisations = this.#readers.flatMap(({ initialisation }) => initialisation ?? []);
    for (const segment of segments) {
      const endMs = start.startMs + (segment.startSeconds + segment.durationSeconds) * 1000;
      if (endMs > this.#lastMs) break;
      this.#endMs = endMs;
      this.#handedOn = this.#handedOn.then(() => onSegment(segment, initialisations));
    }
    window.release(this.#endMs);
  }

  #notePart(part: EncodedPart): void {
    this.#progress.note(this.#options.start.startMs + (part.startSeconds + part.durationSeconds) * 1000);
    const index = this.#options.plan.steps.findIndex(({ name }) => name === part.rendition);
    const initialisation = this.#readers[index]?.initialisation;
    if (initialisation) this.#options.onPart(part, initialisation.data);
  }
}

/** Resolves when more can be written, or when the process does not read any more. */
function drained(input: Writable): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      input.off('drain', done);
      input.off('close', done);
      resolve();
    };
    if (input.destroyed) return resolve();
    input.on('drain', done);
    input.on('close', done);
  });
}

/** Writes the FLV stream of a plan: the tracks that it uses, and replacements of those that it has not. */
function createTagWriter(plan: EncodingPlan, { startMs, originMs }: EncodingStart) {
  const pictures = new ReplacementClock(startMs, still.durationMs);
  const quiet = new ReplacementClock(startMs, silence.durationMs);
  const at = (timeMs: number): number => timeMs - originMs;
  return {
    opening(): Buffer[] {
      const video = plan.video?.configuration ?? still.configuration;
      const audio = plan.audio ? plan.audio.configuration : silence.configuration;
      return [flvHeader, ...flvTag('video', 0, video), ...(audio ? flvTag('audio', 0, audio) : [])];
    },
    tag(tag: MediaTag): Buffer[] {
      const own = plan[tag.kind] ? flvTag(tag.kind, at(tag.timeMs), tag.payload) : [];
      if (!plan.video && tag.kind === 'audio')
        return [...[...pictures.until(tag.timeMs)].flatMap((time) => flvTag('video', at(time), still.payload)), ...own];
      if (!plan.audio && tag.kind === 'video')
        return [...[...quiet.until(tag.timeMs)].flatMap((time) => flvTag('audio', at(time), silence.payload)), ...own];
      return own;
    },
  };
}
