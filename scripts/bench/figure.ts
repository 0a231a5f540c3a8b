import type { BenchContext } from './benchContext.js';

/** Two measurements made side by side, and what their ratio must reach. */
export interface Measured {
  /** Ours, in the figure's unit. */
  readonly ours: number;
  /** The plain thing beside it, in the same unit; null where the target is a time of its own. */
  readonly reference: number | null;
  readonly unit: string;
  /** What is compared with the target: a ratio, or milliseconds where the target is a time. */
  readonly result: number;
  /** What else was seen, in a few words. */
  readonly note?: string;
}

/** One row of the bench table (`docs/bench.md`). */
export interface Figure {
  /** What one types after `npm run bench --`; a figure of several rows has them as `name-variant`. */
  readonly name: string;
  readonly title: string;
  readonly target: { readonly atLeast: number } | { readonly atMost: number };
  /** Of the target; none for a ratio. */
  readonly targetUnit?: 'ms';
  /** How it is measured, for the reader of the table. */
  readonly method: string;
  /** Throws NotMeasured where something that it needs is not on this machine. */
  readonly measure: (bench: BenchContext) => Promise<Measured>;
}

/** Why there is no figure: one short sentence for the table. */
export class NotMeasured extends Error {}

/** Whether a result meets its target. */
export function meets(target: Figure['target'], result: number): boolean {
  return 'atLeast' in target ? result >= target.atLeast : result <= target.atMost;
}

/** The middle measurement (of an even number the mean of the two): one slow moment of the machine does not decide. */
export function medianOf(values: readonly number[]): number {
  const sorted = values.toSorted((left, right) => left - right);
  const middle = (sorted.length - 1) / 2;
  return ((sorted[Math.floor(middle)] ?? Number.NaN) + (sorted[Math.ceil(middle)] ?? Number.NaN)) / 2;
}

/** The value that `share` of all measurements do not exceed. */
export function percentileOf(values: readonly number[], share: number): number {
  const sorted = values.toSorted((left, right) => left - right);
  return sorted[Math.min(sorted.length - 1, Math.ceil(share * sorted.length) - 1)] ?? Number.NaN;
}

/** Seconds that `work` took. */
export async function secondsOf(work: () => Promise<unknown>): Promise<number> {
  const start = process.hrtime.bigint();
  await work();
  return Number(process.hrtime.bigint() - start) / 1e9;
}
