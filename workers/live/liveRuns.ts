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
  /** Null: complete segments only, no low latency. */
  readonly parts: PartServer | null;
}

/** A run in progress. */
interface RunInProgress {
  readonly runId: string;
  readonly streamId: string;
  readonly source: PublicationSource;
  readonly ended: Promise<void>;
  /** The source has ended; the last segments are being stored. */
  hasLeft: boolean;
}

/** A slot for one of the streams that this process packages concurrently. */
export interface StreamSlot {
  /** Null if not yet known. */
  streamId: string | null;
  /** Idempotent. */
  release(this: void): void;
}

/** In addition to the runs in progress, as many runs as `LIVE_CONCURRENCY` may be ending, and at least this number. */
const minEndingRuns = 4;

/**
 * The runs that this process packages, of at most `LIVE_CONCURRENCY` streams. A run releases its slot when its source ends, not
 * when its last segments are stored, because an encoder that returns at once needs it.
 */
export class LiveRuns {
  readonly #options: LiveRunsOptions;
  readonly #renewals: RunRenewals;
  readonly #slots = new Set<StreamSlot>();
  readonly #runs = new Set<RunInProgress>();

  constructor(options: LiveRunsOptions) {
    this.#options = options;
    this.#renewals = new RunRenewals(options.ctx);
    options.metrics.observe(() => [...this.#runs].map(({ source }) => source));
  }

  /** Address at which web processes request the parts of this process's runs. */
  get partsUrl(): string | null {
    return this.#options.parts?.url ?? null;
  }

  /**
   * Whether a run of this stream can begin. A run of the same stream in this process does not count, because it will be replaced.
   */
  hasSlotFor(streamId: string | null): boolean {
    const others = [...this.#slots].filter((slot) => streamId === null || slot.streamId !== streamId);
    return new Set(others.map((slot) => slot.streamId ?? slot)).size < this.#options.ctx.config.live.concurrency;
  }

  /** Reserves a slot; null if none is free. */
  reserve(streamId: string | null): StreamSlot | null {
    if (!this.hasSlotFor(streamId)) return null;
    const slot: StreamSlot = { streamId, release: () => void this.#slots.delete(slot) };
    this.#slots.add(slot);
    return slot;
  }

  /**
   * Resolves when few enough runs are ending: each occupies an ffmpeg process and memory. An encoder that reconnects repeatedly has
   * to wait.
   */
  async whenFewAreEnding(): Promise<void> {
    const { concurrency } = this.#options.ctx.config.live;
    while (this.#runs.size >= concurrency + Math.max(concurrency, minEndingRuns))
      await Promise.race([...this.#runs].map(({ ended }) => ended));
  }

  /** Whether a run that this process packages receives media; null for other runs. */
  receptionOf(runId: string): EncoderReception | null {
    const run = [...this.#runs].find((one) => one.runId === runId);
    return run ? { hasLeft: run.hasLeft, lastMediaAt: run.source.lastMediaAt() } : null;
  }

  /** Packages a run until it ends. Ends an earlier run of the same stream in this process. */
  serve(run: OwnedRun, source: PublicationSource, slot: StreamSlot): void {
    slot.streamId = run.streamId;
    for (const { streamId, source: earlier } of this.#runs)
      if (streamId === run.streamId) void earlier.end('taken over');
    const served = serveRun({ ...this.#options, renewals: this.#renewals, run, source }).finally(() => {
      this.#runs.delete(inProgress);
      slot.release();
    });
    const { runId, streamId } = run;
    const inProgress: RunInProgress = { runId, streamId, source, ended: served, hasLeft: false };
    this.#runs.add(inProgress);
    void source.ended.then(() => {
      slot.release();
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
      this.#options.ctx.log.error('runs not ended in time: their leases will expire');
    }
  }
}
