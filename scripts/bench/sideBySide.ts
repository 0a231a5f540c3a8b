import { medianOf, type Measured } from './figure.js';

/** One side of a comparison, measured once; `onShare` hears how much of it is done, 0..1. */
type Side = (onShare: (share: number) => void) => Promise<number>;

export interface Comparison {
  readonly unit: string;
  readonly rounds: number;
  /** Rounds before these, which warm both sides up and count for nothing. */
  readonly warmUps?: number;
  readonly ours: Side;
  readonly reference: Side;
  readonly onProgress: (percent: number) => void;
}

/**
 * Measures two sides in turn, each round the other one first, so that a machine that grows slower or is busy for a
 * while treats both alike. The result is the median of the rounds' own ratios: it needs no two rounds to be alike.
 */
export async function sideBySide(comparison: Comparison): Promise<Measured> {
  const { warmUps = 0, rounds, onProgress } = comparison;
  const all: { ours: number; reference: number }[] = [];
  const total = 2 * (warmUps + rounds);
  let done = 0;
  const run = async (side: Side): Promise<number> => {
    const value = await side((share) => onProgress(((done + share) / total) * 100));
    done += 1;
    onProgress((done / total) * 100);
    return value;
  };
  for (let round = 0; round < warmUps + rounds; round += 1) {
    const referenceFirst = round % 2 === 1;
    const early = referenceFirst ? await run(comparison.reference) : undefined;
    const ours = await run(comparison.ours);
    all.push({ ours, reference: early ?? (await run(comparison.reference)) });
  }
  const counted = all.slice(warmUps);
  const ratios = counted.map(({ ours, reference }) => ours / reference);
  return {
    unit: comparison.unit,
    ours: medianOf(counted.map(({ ours }) => ours)),
    reference: medianOf(counted.map(({ reference }) => reference)),
    result: medianOf(ratios),
    note: `${counted.length} rounds, ${spread(ratios)}`,
  };
}

function spread(ratios: readonly number[]): string {
  return `${Math.min(...ratios).toFixed(2)} to ${Math.max(...ratios).toFixed(2)}`;
}
