import { setTimeout as sleep } from 'node:timers/promises';
import type { Context } from '../../platform/context.js';
import { fetchPartsState, type PartsRun } from './fetchParts.js';
import type { PartsState } from './partsState.js';

export interface FollowedRun extends PartsRun {
  readonly streamId: string;
}

/** Called with the new and the previous state. Null: none. */
export type StateListener = (state: PartsState | null, before: PartsState | null) => void;

/** The follower stops after this time without a viewer's request. */
const idleMs = 20_000;
/** Retry intervals for an unreachable process: short at first, because it may be starting. */
const retryMs = { first: 500, max: 5_000 };
/** The first viewer of a run waits for its state for at most this long. */
const firstWaitMs = 1_000;

/**
 * Follows the parts state of one run, with one request at a time to its live process for all viewers. The state is null if
 * the live process cannot be reached, or the run has ended: playlists then list only segments.
 */
export class RunFollower {
  readonly run: FollowedRun;
  #nextNumber = 0;
  #state: PartsState | null = null;
  #usedAt = 0;
  readonly #first: Promise<void>;
  readonly #stopping = new AbortController();
  #isStopped = false;

  constructor(ctx: Context, run: FollowedRun, onChange: StateListener) {
    this.run = run;
    this.#usedAt = performance.now();
    const { promise, resolve } = firstOf();
    this.#first = Promise.race([promise, sleep(firstWaitMs, undefined, { ref: false })]);
    this.#follow(ctx, (state) => {
      const before = this.#state;
      this.#state = state;
      this.#nextNumber = Math.max(this.#nextNumber, (state?.segments.at(-1)?.number ?? -1) + 2);
      resolve();
      onChange(state, before);
    }).catch((err: unknown) => {
      this.stop();
      ctx.log.error({ err, runId: run.runId }, 'live parts not followed');
    });
  }

  /** The newest state. The first call waits for it for at most a second. */
  async state(): Promise<PartsState | null> {
    this.#usedAt = performance.now();
    if (!this.#state) await this.#first;
    return this.#state;
  }

  /** Parts of segments with lower numbers have been listed or announced. */
  get nextNumber(): number {
    return this.#nextNumber;
  }

  get isStopped(): boolean {
    return this.#isStopped;
  }

  stop(): void {
    this.#isStopped = true;
    this.#stopping.abort();
  }

  async #follow(ctx: Context, take: (state: PartsState | null) => void): Promise<void> {
    const { signal } = this.#stopping;
    let waitMs = retryMs.first;
    while (!signal.aborted && performance.now() - this.#usedAt < idleMs) {
      const { state, error } = await this.#read(ctx, signal);
      if (signal.aborted) break;
      if (state) {
        if (state.version !== this.#state?.version) take(state);
        waitMs = retryMs.first;
        continue;
      }
      // Logs once per outage.
      if (this.#state || waitMs === retryMs.first)
        ctx.log.info({ err: error, runId: this.run.runId, url: this.run.partsUrl }, 'live parts not available');
      take(null);
      await sleep(waitMs, undefined, { signal, ref: false }).catch(() => {});
      waitMs = Math.min(2 * waitMs, retryMs.max);
    }
    this.#isStopped = true;
    take(null);
  }

  async #read(ctx: Context, signal: AbortSignal): Promise<{ state: PartsState | null; error?: unknown }> {
    try {
      return { state: await fetchPartsState(ctx, this.run, this.#state?.version ?? -1, signal) };
    } catch (error) {
      return { state: null, error };
    }
  }
}

function firstOf(): { promise: Promise<void>; resolve: () => void } {
  let resolve = (): void => {};
  const promise = new Promise<void>((done) => (resolve = done));
  return { promise, resolve };
}
