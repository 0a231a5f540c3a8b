import { changedPlan } from './changedPlan.js';
import { withoutCopy, withoutCostliest, type EncodingPlan } from './encodingPlan.js';
import type { MediaTag } from './mediaTag.js';
import type { PackageOptions } from './packageOptions.js';
import type { PackagingMetrics } from './packagingMetrics.js';
import type { EncodingEnd } from './packagingState.js';

const minuteMs = 60_000;
/** Maximum of restarts of one run per minute. */
const maxFailures = 5;
const maxChanges = 12;

/** Chooses the plan that follows the end of an ffmpeg process, and limits the restarts of a run. */
export class PlanSuccession {
  readonly #failures = new RestartCount();
  readonly #changes = new RestartCount();

  constructor(
    private readonly options: PackageOptions,
    private readonly metrics: PackagingMetrics,
  ) {}

  /** The next plan, or the reason why the run ends. `tags`: the media in memory. */
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
    // The copied rendition may be the cause of repeated failures.
    return plan.isTopCopied && (end.kind === 'misaligned' || failures > 1) ? withoutCopy(plan) : plan;
  }

  #dropRendition(plan: EncodingPlan): EncodingPlan {
    const { log, onRenditionDropped } = this.options;
    const less = withoutCostliest(plan);
    if (!less) {
      log.warn('live encoding slower than real time, no rendition to drop');
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

/** Counts the restarts of the last minute, so that a stream that ffmpeg cannot read ends instead of restarting it endlessly. */
class RestartCount {
  #times: number[] = [];

  /** Records a restart. Returns the number of restarts in the last minute. */
  note(now: number = performance.now()): number {
    this.#times = [...this.#times.filter((time) => now - time < minuteMs), now];
    return this.#times.length;
  }
}
