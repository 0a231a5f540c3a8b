import type { BenchContext } from './benchContext.js';

/** The result of a figure: two measurements and their ratio, or one measurement. */
export interface Measured {
  /** The service's value, in the figure's unit. */
  readonly ours: number;
  /** The reference, in the same unit; null if the target is a time. */
  readonly reference: number | null;
  readonly unit: string;
  /** The value that is compared with the target: a ratio, or a time in the target's unit. */
  readonly result: number;
  /** Further details for the table. */
  readonly note?: string;
}

/** One row of the bench table (`docs/bench.md`). */
export interface Figure {
  /** The name for `npm run bench -- <name>`. Figures with a common prefix `name-` can be run as `name`. */
  readonly name: string;
  readonly title: string;
  readonly target: { readonly atLeast: number } | { readonly atMost: number };
  /** The unit of the target; missing for a ratio. */
  readonly targetUnit?: 'µs' | 'ms' | 's' | 'MB' | 'MB/s';
  /** The reason for the figure: the promise that it verifies, or the page that quotes it. */
  readonly reason: string;
  /** The method, for readers of the table. */
  readonly method: string;
  /** Rejects with NotMeasured if this machine lacks a requirement of the figure. */
  readonly measure: (bench: BenchContext) => Promise<Measured>;
}

/** The figure could not be measured. The message is one short sentence for the table. */
export class NotMeasured extends Error {}

/** Whether a result meets its target. */
export function meets(target: Figure['target'], result: number): boolean {
  return 'atLeast' in target ? result >= target.atLeast : result <= target.atMost;
}

/** The median (for an even number, the mean of the two middle values): outliers have no effect. */
export function medianOf(values: readonly number[]): number {
  const sorted = values.toSorted((left, right) => left - right);
  const middle = (sorted.length - 1) / 2;
  return ((sorted[Math.floor(middle)] ?? Number.NaN) + (sorted[Math.ceil(middle)] ?? Number.NaN)) / 2;
}

/** The value that `share` (0 to 1) of all measurements do not exceed. */
export function percentileOf(values: readonly number[], share: number): number {
  const sorted = values.toSorted((left, right) => left - right);
  return sorted[Math.min(sorted.length - 1, Math.ceil(share * sorted.length) - 1)] ?? Number.NaN;
}

/** Duration of `work` in seconds. */
export async function elapsedSeconds(work: () => Promise<unknown>): Promise<number> {
  const start = process.hrtime.bigint();
  await work();
  return Number(process.hrtime.bigint() - start) / 1e9;
}

/** Lowest and highest value: `0.98 to 1.12`. */
export function rangeOf(values: readonly number[], digits: number): string {
  return `${Math.min(...values).toFixed(digits)} to ${Math.max(...values).toFixed(digits)}`;
}
