import { setImmediate as yieldToEventLoop, setTimeout as sleep } from 'node:timers/promises';
import { flvTagOverheadBytes } from '../../../shared/media/flv/index.js';
import type { Gate } from './eventQueue.js';
import { MediaTagReader } from './mediaTag.js';
import type { PackageOptions } from './packageOptions.js';
import { openPulledStream } from './pulledStream.js';
import { reasonOfSourceError, type RunSource } from './runSource.js';
import type { PackagingEvent } from './packagingState.js';
import type { RunTimeline } from './runTimeline.js';
import { SourcePace } from './sourcePace.js';

/** Tags read in one iteration of the event loop, because batches of tiny tags follow each other without a pause. */
const tagsPerSlice = 2000;
/** Maximum time for packaging the media of an encoder that has disconnected: a few bytes may have timestamps of hours. */
const usualAfterEndMs = 120_000;

interface ReaderOptions {
  readonly packaging: Pick<PackageOptions, 'ctx' | 'source'>;
  readonly timeline: RunTimeline;
  /** Closed while the source must not be read. */
  readonly gate: Gate;
  /** Aborts when the run ends. */
  readonly signal: AbortSignal;
  readonly report: (event: Extract<PackagingEvent, { kind: 'media' | 'sourceEnded' | 'error' }>) => void;
  readonly afterEndMs?: number;
}

/** Reads the source of a run at nearly real time (`SourcePace`). Reports its media and its end as events. */
export class SourceReader {
  readonly #options: ReaderOptions;
  #source: RunSource | null = null;
  /** Aborts when reading ends. */
  readonly #over = new AbortController();
  #leaving: NodeJS.Timeout | undefined;

  constructor(options: ReaderOptions) {
    this.#options = options;
  }

  /** Resolves at the end of the source. Never rejects. */
  async read(): Promise<void> {
    try {
      this.#source = await this.#opened();
      if (this.#over.signal.aborted) return this.#source.close();
      void this.#source.ended?.then(() => this.#endSoon());
      await this.#readTags(this.#source);
      this.#end('source ended');
    } catch (error) {
      const reason = reasonOfSourceError(error);
      if (reason === null) this.#options.report({ kind: 'error', error });
      else this.#end(reason);
    }
  }

  /** Stops reading. */
  close(): void {
    clearTimeout(this.#leaving);
    this.#over.abort();
    this.#source?.close();
  }

  async #opened(): Promise<RunSource> {
    const { ctx, source } = this.#options.packaging;
    return 'url' in source ? openPulledStream(ctx.config, source, this.#options.signal) : source;
  }

  async #readTags({ tags: batches }: RunSource): Promise<void> {
    const { report, gate, timeline } = this.#options;
    const { signal } = this.#over;
    const media = new MediaTagReader(timeline);
    const pace = new SourcePace();
    let [bytes, count] = [0, 0];
    for await (const batch of batches) {
      bytes += batch.reduce((sum, { payload }) => sum + payload.length + flvTagOverheadBytes, 0);
      const tags = batch.flatMap((tag) => media.read(tag) ?? []);
      for (let from = 0; from < tags.length && !signal.aborted;) {
        const end = pace.take(tags, from);
        report({ kind: 'media', tags: tags.slice(from, end), bytes });
        [from, bytes] = [end, 0];
        if (pace.waitMs > 0) await sleep(pace.waitMs, undefined, { signal }).catch(() => {});
        await gate.whenOpen();
      }
      if (signal.aborted) return;
      count += batch.length;
      if (count < tagsPerSlice) continue;
      count = 0;
      await yieldToEventLoop();
    }
  }

  /** The encoder has disconnected, and its media may still be waiting. */
  #endSoon(): void {
    if (this.#over.signal.aborted) return;
    this.#leaving = setTimeout(() => this.#end('source ended'), this.#options.afterEndMs ?? usualAfterEndMs);
  }

  #end(reason: string): void {
    if (this.#over.signal.aborted) return;
    clearTimeout(this.#leaving);
    this.#over.abort();
    this.#options.report({ kind: 'sourceEnded', reason });
  }
}
