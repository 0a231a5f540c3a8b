import type { Context } from '../../shared/platform/context.js';
import { renewRuns, type RunProgress } from '../../shared/streaming/liveRun.lifecycle.js';

/** How long a renewal waits for those of other runs: much shorter than a lease. */
const collectedMs = 500;

interface WaitingRenewal {
  readonly progress: () => RunProgress;
  readonly resolve: (isHeld: boolean) => void;
  readonly reject: (error: unknown) => void;
}

/** Renews the leases of this process's runs, with one statement for renewals that are due at about the same time. */
export class RunRenewals {
  #waiting: WaitingRenewal[] = [];

  constructor(private readonly ctx: Context) {}

  /** Resolves with false if the run is lost. `progress` is called when the statement is sent. */
  renew(progress: () => RunProgress): Promise<boolean> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ progress, resolve, reject });
      if (this.#waiting.length === 1) setTimeout(() => void this.#renewAll(), collectedMs);
    });
  }

  async #renewAll(): Promise<void> {
    const renewed = this.#waiting;
    this.#waiting = [];
    try {
      const runs = renewed.map(({ progress }) => progress());
      const held = await renewRuns(this.ctx, runs);
      for (const [position, { resolve }] of renewed.entries()) resolve(held.has(runs[position]?.runId ?? ''));
    } catch (error) {
      for (const { reject } of renewed) reject(error);
    }
  }
}
