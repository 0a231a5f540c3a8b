import type { Context } from '../../shared/platform/context.js';
import type { EncoderReception } from '../../shared/streaming/otherPublisher.service.js';
import { TimeoutError, withTimeout } from '../../shared/platform/withTimeout.js';
import type { LiveMetrics } from './liveMetrics.js';
import type { packageRun } from './packaging/packageRun.js';
import type { PartServer } from './lowLatency/partServer.js';
import type { PublicationSource } from './publicationSource.js';
import { RunRenewals } from './runRenewals.js';
import { serveRun, type OwnedRun } from './serveRun.js';

interface LiveRunsOptions {
  readonly ctx: Context;
  readonly metrics: LiveMetrics;
  readonly pack: typeof packageRun;
  /** Null: whole segments only. */
  readonly parts: PartServer | null;
}

/** A run in progress. */
interface RunInProgress {
  readonly runId: string;
  readonly streamId: string;
  readonly source: PublicationSource;
  readonly ended: Promise<void>;
  /** Its source has ended; its last segments are being stored. */
  hasLeft: boolean;
}

/** A place for one of the streams that this process packages at a time. */
export interface StreamPlace {
  /** Null: not known yet. */
  streamId: string | null;
  /** Does nothing the second time. */
  release(this: void): void;
}

/** As many runs as `LIVE_CONCURRENCY` may be ending beside those in progress, and so many at least. */
const minEndingRuns = 4;

/**
 * The runs that this process packages: of `LIVE_CONCURRENCY` streams at a time. A run gives its place back when its source
 * ends, not when its last segments are stored: the encoder that returns at once needs it.
 */
export class LiveRuns {
  readonly #options: LiveRunsOptions;
  readonly #renewals: RunRenewals;
  readonly #places = new Set<StreamPlace>();
  readonly #runs = new Set<RunInProgress>();

  constructor(options: LiveRunsOptions) {
    this.#options = options;
    this.#renewals = new RunRenewals(options.ctx);
    options.metrics.observe(() => [...this.#runs].map(({ source }) => source));
  }

  /** Where web processes reach the parts of the runs of this process. */
  get partsUrl(): string | null {
    return this.#options.parts?.url ?? null;
  }

  /** Whether a run of this stream can begin. A run of the same stream in this process does not count: it will be ended. */
  hasPlaceFor(streamId: string | null): boolean {
    const others = [...this.#places].filter((place) => streamId === null || place.streamId !== streamId);
    return new Set(others.map((place) => place.streamId ?? place)).size < this.#options.ctx.config.live.concurrency;
  }

  /** Reserves a place; null where none is left. */
  reserve(streamId: string | null): StreamPlace | null {
    if (!this.hasPlaceFor(streamId)) return null;
    const place: StreamPlace = { streamId, release: () => void this.#places.delete(place) };
    this.#places.add(place);
    return place;
  }

  /**
   * Resolves when not too many runs are ending: each keeps an ffmpeg and its last segments. An encoder that publishes and ends
   * again and again has to wait.
   */
  async whenFewAreEnding(): Promise<void> {
    const { concurrency } = this.#options.ctx.config.live;
    while (this.#runs.size >= concurrency + Math.max(concurrency, minEndingRuns))
      await Promise.race([...this.#runs].map(({ ended }) => ended));
  }

  /** What arrives of a run that this process packages; null for others. */
  receptionOf(runId: string): EncoderReception | null {
    const run = [...this.#runs].find((one) => one.runId === runId);
    return run ? { hasLeft: run.hasLeft, lastMediaAt: run.source.lastMediaAt() } : null;
  }

  /** Packages a run to its end. An earlier run of the same stream in this process is ended. */
  serve(run: OwnedRun, source: PublicationSource, place: StreamPlace): void {
    place.streamId = run.streamId;
    for (const { streamId, source: earlier } of this.#runs)
      if (streamId === run.streamId) void earlier.end('taken over');
    const served = serveRun({ ...this.#options, renewals: this.#renewals, run, source }).finally(() => {
      this.#runs.delete(inProgress);
      place.release();
    });
    const { runId, streamId } = run;
    const inProgress: RunInProgress = { runId, streamId, source, ended: served, hasLeft: false };
    this.#runs.add(inProgress);
    void source.ended.then(() => {
      place.release();
      inProgress.hasLeft = true;
    });
  }

  /** Ends all runs. Resolves when their last segments are stored, or after `deadlineMs`. */
  async close(deadlineMs: number): Promise<void> {
    const runs = [...this.#runs];
    for (const { source } of runs) void source.end('server closed');
    try {
      await withTimeout(Promise.all(runs.map(({ ended }) => ended)), deadlineMs);
    } catch (error) {
      if (!(error instanceof TimeoutError)) throw error;
      this.#options.ctx.log.error('runs not ended in time: their leases end');
    }
  }
}
