import { medianOf, rangeOf, type Measured } from './figure.js';

/** Measures one side of a comparison once. `onShare` is called with the completed share, 0 to 1. */
type Side = (onShare: (share: number) => void) => Promise<number>;

export interface Comparison {
  readonly unit: string;
  readonly rounds: number;
  /** Warm-up rounds, whose results are discarded. */
  readonly warmUps?: number;
  readonly ours: Side;
  readonly reference: Side;
  readonly onProgress: (percent: number) => void;
}

/**
 * Measures two sides alternately; the sides swap their order each round, so that a machine that slows down or is busy for a while
 * affects both equally. The result is the median of the rounds' ratios, so that rounds may differ.
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
    note: `${counted.length} rounds, ${rangeOf(ratios, 2)}`,
  };
}
