import { changedPlan } from './changedPlan.js';
import { withoutCopy, withoutCostliest, type EncodingPlan } from './encodingPlan.js';
import type { MediaTag } from './mediaTag.js';
import type { PackageOptions } from './packageOptions.js';
import type { PackagingMetrics } from './packagingMetrics.js';
import type { EncodingEnd } from './packagingState.js';

const minuteMs = 60_000;
/** Of one run, in a minute. */
const maxFailures = 5;
const maxChanges = 12;

/** Chooses the encoding plan that follows the end of an ffmpeg process, and bounds how often one run may restart. */
export class PlanSuccession {
  readonly #failures = new RestartCount();
  readonly #changes = new RestartCount();

  constructor(
    private readonly options: PackageOptions,
    private readonly metrics: PackagingMetrics,
  ) {}

  /** The next plan, or the reason why the run ends. `tags`: the media that waits for the next process. */
  after(
    plan: EncodingPlan,
    end: Exclude<EncodingEnd, { kind: 'finished' }>,
    { hadVideo, tags }: { readonly hadVideo: boolean; readonly tags: readonly MediaTag[] },
  ): EncodingPlan | string {
    if (end.kind === 'changed') {
      if (this.#changes.note() > maxChanges) return 'the stream changes too often';
      return changedPlan(plan, { ...end, tags }, { hadVideo, heights: this.options.ctx.config.live.renditionHeights });
    }
    if (end.kind === 'behind') return this.#dropRendition(plan);
    const failures = this.#failures.note();
    if (failures > maxFailures) return `ffmpeg failed: ${end.detail.split('\n', 2).join(': ')}`;
    // A copy that fails again may be the cause.
    return plan.isTopCopied && (end.kind === 'misaligned' || failures > 1) ? withoutCopy(plan) : plan;
  }

  #dropRendition(plan: EncodingPlan): EncodingPlan {
    const { log, onRenditionDropped } = this.options;
    const less = withoutCostliest(plan);
    if (!less) {
      log.warn('live encoding slower than real time, no rendition left to drop');
      return plan;
    }
    const remaining = less.steps.map(({ name }) => name);
    const name = plan.steps.find((step) => !remaining.includes(step.name))?.name ?? '';
    log.warn({ rendition: name, remaining }, 'live encoding slower than real time, rendition dropped');
    this.metrics.dropped();
    onRenditionDropped?.({ name, remaining });
    return less;
  }
}

/** Counts restarts of the last minute, so that a stream that no ffmpeg can read ends instead of starting one for ever. */
class RestartCount {
  #times: number[] = [];

  /** How many there were in the last minute, with this one. */
  note(now: number = performance.now()): number {
    this.#times = [...this.#times.filter((time) => now - time < minuteMs), now];
    return this.#times.length;
  }
}
