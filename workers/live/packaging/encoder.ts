import { FragmentReader, type Initialisation } from '../../../shared/media/mp4/index.js';
import { flvTagType, flvHeader, writeFlvTag } from '../../../shared/media/flv/index.js';
import { encodingCommand, type EncodingSettings } from './encodingCommand.js';
import type { EncodingPlan } from './encodingPlan.js';
import { startEncoder, type EncoderProcess } from './encoderProcess.js';
import type { EncodingStart } from './encodingStart.js';
import type { Gate } from './eventQueue.js';
import { audioLeadsOf, FragmentTimes } from './fragmentTimes.js';
import type { MediaTag } from './mediaTag.js';
import { isProgrammingError } from './programmingError.js';
import { ReplacementClock, silence, still } from './replacement.js';
import { MisalignedError, Segmenter, type EncodedPart, type EncodedSegment } from './segmenter.js';

/** The events of an encoder. Times are in seconds since its start. */
export type EncoderEvent =
  /** The input accepts data again. */
  | { readonly kind: 'inputFree' }
  | { readonly kind: 'part'; readonly part: EncodedPart; readonly initialisation: Buffer }
  | {
      readonly kind: 'segment';
      readonly segment: EncodedSegment;
      /** In the order of the plan. Null if the rendition has no output. */
      readonly initialisations: readonly (Initialisation | null)[];
    }
  /** The output is unusable. The process is still running. */
  | { readonly kind: 'outputRefused'; readonly reason: 'misaligned' | 'failed'; readonly detail: string }
  /** The process has ended, and all its output was read. */
  | { readonly kind: 'encoderEnded'; readonly isClean: boolean; readonly detail: string }
  /** An error of this program: another ffmpeg process would not help. */
  | { readonly kind: 'error'; readonly error: unknown };

export interface EncoderOptions {
  readonly ffmpegPath: string;
  readonly settings: EncodingSettings;
  readonly plan: EncodingPlan;
  readonly start: EncodingStart;
  /** While it is closed, the output is not read, so that ffmpeg waits. */
  readonly outputGate: Gate;
  readonly report: (event: EncoderEvent) => void;
}

/** One ffmpeg process that encodes all renditions of a plan from tags. Decisions are made in `RunPackager`. */
export class Encoder {
  readonly #options: EncoderOptions;
  readonly #process: EncoderProcess;
  readonly #segmenter: Segmenter;
  readonly #times: readonly FragmentTimes[];
  readonly #readers: readonly FragmentReader[];
  readonly #tags: TagWriter;
  #isFree = true;
  #isRefused = false;
  #hasEnded = false;

  constructor(options: EncoderOptions) {
    const { plan, start, settings } = options;
    this.#options = options;
    const leads = audioLeadsOf(plan, start, settings.preset);
    const parameters = encodingCommand(plan, (start.startMs - start.originMs) / 1000, settings, leads);
    this.#process = startEncoder(options.ffmpegPath, parameters, plan.steps.length);
    this.#readers = plan.steps.map(() => new FragmentReader());
    this.#tags = new TagWriter(plan, start);
    const [rate, scale] = plan.frameRate;
    this.#segmenter = new Segmenter(
      plan.steps.map(({ name }) => name),
      plan.segmentSeconds,
      scale / rate,
      (part) => this.#reportPart(part),
    );
    this.#times = plan.steps.map(
      (_, index) => new FragmentTimes(plan.isTopCopied && index === 0 ? leads.copied : leads.encoded),
    );
    this.#process.input.on('drain', () => this.#free());
    this.#process.input.once('close', () => this.#free());
    this.#write(this.#tags.opening());
    this.#run().catch((error: unknown) => options.report({ kind: 'error', error }));
  }

  /** Whether ffmpeg reads its input. A process that has ended would discard the media that the next process needs. */
  get isFree(): boolean {
    return this.#isFree && !this.#hasEnded && !this.#process.input.destroyed;
  }

  /** The buffers to write for a tag. */
  partsOf(tag: MediaTag): readonly Buffer[] {
    return this.#tags.tag(tag);
  }

  write(parts: readonly Buffer[]): void {
    if (parts.length > 0) this.#write(parts);
  }

  /** Ends the input: ffmpeg exits when it has encoded everything. */
  endInput(): void {
    this.#process.input.end();
  }

  kill(): void {
    this.#process.kill();
  }

  /** Kills the process and discards its output. Resolves when it has ended. */
  async close(): Promise<void> {
    this.#process.kill();
    for (const output of this.#process.outputs) output.destroy();
    await this.#process.ended;
  }

  #write(parts: readonly Buffer[]): void {
    this.#isFree = this.#process.input.write(Buffer.concat(parts));
  }

  #free(): void {
    this.#isFree = true;
    this.#options.report({ kind: 'inputFree' });
  }

  async #run(): Promise<void> {
    const ended = this.#process.ended.finally(() => (this.#hasEnded = true));
    await Promise.all(this.#process.outputs.map((output, index) => this.#read(output, index)));
    const { isClean, detail } = await ended;
    try {
      if (isClean && !this.#isRefused) this.#reportSegments(this.#segmenter.end());
    } catch (error) {
      this.#refuse(error);
    }
    this.#options.report({ kind: 'encoderEnded', isClean: isClean && !this.#isRefused, detail });
  }

  /** Reads all output, even if it is discarded: ffmpeg would not exit otherwise. */
  async #read(output: AsyncIterable<Buffer>, index: number): Promise<void> {
    const reader = this.#readers[index] as FragmentReader;
    try {
      for await (const block of output) {
        if (this.#isRefused) continue;
        for (const fragment of reader.push(block)) {
          const times = this.#times[index] as FragmentTimes;
          const tracks = reader.initialisation?.tracks ?? [];
          this.#reportSegments(
            this.#segmenter.add(index, fragment, (ends) => times.correct(fragment.data, tracks, ends)),
          );
        }
        await this.#options.outputGate.whenOpen();
      }
    } catch (error) {
      this.#refuse(error);
    }
  }

  #refuse(error: unknown): void {
    this.#isRefused = true;
    if (isProgrammingError(error)) return this.#options.report({ kind: 'error', error });
    const reason = error instanceof MisalignedError ? 'misaligned' : 'failed';
    this.#options.report({ kind: 'outputRefused', reason, detail: (error as Error).message });
  }

  #reportSegments(segments: readonly EncodedSegment[]): void {
    const initialisations = this.#readers.map(({ initialisation }) => initialisation);
    for (const segment of segments) this.#options.report({ kind: 'segment', segment, initialisations });
  }

  #reportPart(part: EncodedPart): void {
    const index = this.#options.plan.steps.findIndex(({ name }) => name === part.rendition);
    const initialisation = this.#readers[index]?.initialisation;
    if (initialisation) this.#options.report({ kind: 'part', part, initialisation: initialisation.data });
  }
}

/** Writes the FLV stream of a plan: the tracks that it uses, and replacements for missing tracks. */
class TagWriter {
  readonly #pictures: ReplacementClock;
  readonly #quiet: ReplacementClock;

  constructor(
    private readonly plan: EncodingPlan,
    private readonly start: EncodingStart,
  ) {
    this.#pictures = new ReplacementClock(start.startMs, still.durationMs);
    this.#quiet = new ReplacementClock(start.startMs, silence.durationMs);
  }

  opening(): Buffer[] {
    const { originMs } = this.start;
    const video = this.plan.video?.configuration ?? still.configuration;
    const audio = this.plan.audio ? this.plan.audio.configuration : silence.configuration;
    return [flvHeader, ...this.#tag('video', originMs, video), ...(audio ? this.#tag('audio', originMs, audio) : [])];
  }

  tag(tag: MediaTag): Buffer[] {
    const { plan } = this;
    const own = plan[tag.kind] ? this.#tag(tag.kind, tag.timeMs, tag.payload) : [];
    if (!plan.video && tag.kind === 'audio')
      return [
        ...[...this.#pictures.until(tag.timeMs)].flatMap((time) => this.#tag('video', time, still.payload)),
        ...own,
      ];
    if (!plan.audio && tag.kind === 'video')
      return [
        ...[...this.#quiet.until(tag.timeMs)].flatMap((time) => this.#tag('audio', time, silence.payload)),
        ...own,
      ];
    return own;
  }

  #tag(kind: MediaTag['kind'], timeMs: number, payload: Buffer): Buffer[] {
    return writeFlvTag({ type: flvTagType[kind], timestampMs: timeMs - this.start.originMs, payload });
  }
}
