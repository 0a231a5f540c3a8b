import type { Context } from '../../shared/platform/context.js';
import { TimeoutError, withTimeout } from '../../shared/platform/withTimeout.js';
import type { LiveMetrics } from './liveMetrics.js';
import type { packageRun } from './packaging/packageRun.js';
import type { PartServer } from './parts/partServer.js';
import type { PublicationSource } from './publicationSource.js';
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
  readonly streamId: string;
  readonly source: PublicationSource;
  readonly ended: Promise<void>;
}

/** The runs that this process packages: `LIVE_CONCURRENCY` at a time. */
export class LiveRuns {
  readonly #options: LiveRunsOptions;
  readonly #places = new Set<{ readonly streamId: string | null }>();
  readonly #runs = new Set<RunInProgress>();

  constructor(options: LiveRunsOptions) {
    this.#options = options;
    options.metrics.observe(() => [...this.#runs].map(({ source }) => source));
  }

  /** Where web processes reach the parts of the runs of this process. */
  get partsUrl(): string | null {
    return this.#options.parts?.url ?? null;
  }

  /** Whether a run of this stream can begin. A run of the same stream in this process does not count: it will be ended. */
  hasPlaceFor(streamId: string | null): boolean {
    const others = [...this.#places].filter((place) => streamId === null || place.streamId !== streamId);
    return others.length < this.#options.ctx.config.live.concurrency;
  }

  /** Reserves a place, and returns the function that releases it; null where none is left. */
  reserve(streamId: string | null): (() => void) | null {
    if (!this.hasPlaceFor(streamId)) return null;
    const place = { streamId };
    this.#places.add(place);
    return () => void this.#places.delete(place);
  }

  /** Packages a run to its end, then releases its place. An earlier run of the same stream in this process is ended. */
  serve(run: OwnedRun, source: PublicationSource, release: () => void): void {
    for (const { streamId, source: earlier } of this.#runs)
      if (streamId === run.streamId) void earlier.end('taken over');
    const served = serveRun({ ...this.#options, run, source }).finally(() => {
      this.#runs.delete(inProgress);
      release();
    });
    const inProgress: RunInProgress = { streamId: run.streamId, source, ended: served };
    this.#runs.add(inProgress);
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
