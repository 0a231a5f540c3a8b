import { audioBits } from '../media/audioPackets.js';
import type { PlannedRendition } from './plan.js';

export interface LadderStep {
  readonly name: string;
  /** Longer and shorter side of the rectangle that a frame must fit into, in landscape or portrait. */
  readonly long: number;
  readonly short: number;
  readonly target: number;
  readonly maximum: number;
  readonly buffer: number;
}

export const ladderSteps: readonly LadderStep[] = [
  { name: '240p', long: 426, short: 240, target: 400, maximum: 430, buffer: 600 },
  { name: '360p', long: 640, short: 360, target: 800, maximum: 860, buffer: 1200 },
  { name: '480p', long: 854, short: 480, target: 1400, maximum: 1500, buffer: 2100 },
  { name: '720p', long: 1280, short: 720, target: 2800, maximum: 3000, buffer: 4200 },
  { name: '1080p', long: 1920, short: 1080, target: 5000, maximum: 5350, buffer: 7500 },
];

/** A step is used if the source has at least this share of its size: a source of 1078 lines gets the 1080 step. */
const minShareOfStep = 0.9;
/** If the highest step would scale the source below this share, a rendition of the source's size is added, such as 576p. */
const largestReduction = 0.9;
/** Maximum bit rate of a rendition, as a share of the source's bit rate. */
const shareOfSource = 1.1;
/**
 * With a source of low bit rate, lower renditions are reduced in proportion to the table, times this factor: small frames need more
 * bits per pixel.
 */
const shareOfTop = 1.5;
const fewestBits = 80_000;
/** H.264 bits that give the same quality as one bit of the codec. */
const efficiency: Readonly<Record<string, number>> = { hevc: 1.6, vp9: 1.6, av1: 2 };

export interface LadderSource {
  /** In square pixels, after rotation. */
  readonly width: number;
  readonly height: number;
  /** Bits per second of its video; null if unknown. */
  readonly bits: number | null;
  readonly codec: string;
  readonly framesPerSecond: number;
}

/**
 * The renditions for a source, lowest first, at least one. Sizes are even, keep the aspect ratio, and never exceed the source.
 * Bit rates are those of the table up to 40 frames per second, 1.5 times as high above, and limited by the source.
 */
export function planLadder(source: LadderSource): PlannedRendition[] {
  const long = Math.max(source.width, source.height);
  const short = Math.min(source.width, source.height);
  const fitting = ladderSteps.filter(
    (step) => long >= step.long * minShareOfStep || short >= step.short * minShareOfStep,
  );
  const [lowest] = ladderSteps as [LadderStep];
  const steps = fitting.length > 0 ? fitting : [lowest];
  const taken = [...steps, ...stepAbove(steps.at(-1) ?? lowest, { long, short })];
  const limit =
    source.bits === null ? Number.POSITIVE_INFINITY : source.bits * (efficiency[source.codec] ?? 1) * shareOfSource;
  const top = taken.at(-1)?.target ?? lowest.target;
  const limitOf = (step: LadderStep): number => limit * Math.min(1, (step.target / top) * shareOfTop);
  const renditions = taken.map((step) => renditionOf(step, source, { long, short, limit: limitOf(step) }));
  return renditions.filter(
    (rendition, index) =>
      index === 0 ||
      rendition.width !== renditions[index - 1]?.width ||
      rendition.height !== renditions[index - 1]?.height,
  );
}

/**
 * An extra step between the highest fitting step and the next one, if the source is clearly larger. Its bit rates are interpolated.
 */
function stepAbove(top: LadderStep, { long, short }: Pick<LadderStep, 'long' | 'short'>): LadderStep[] {
  const next = ladderSteps[ladderSteps.indexOf(top) + 1];
  const growth = Math.max(long / top.long, short / top.short);
  if (!next || growth * largestReduction <= 1) return [];
  const bits = growth ** (Math.log(next.target / top.target) / Math.log(next.short / top.short));
  const [target, maximum, buffer] = [top.target, top.maximum, top.buffer].map((rate) => Math.round(rate * bits)) as [
    number,
    number,
    number,
  ];
  return [{ name: `${Math.round(top.short * growth)}p`, long, short, target, maximum, buffer }];
}

/** Whether a source of this size gets several renditions. */
export function hasSeveralRenditions({ width, height }: Pick<LadderSource, 'width' | 'height'>): boolean {
  return planLadder({ width, height, codec: '', bits: null, framesPerSecond: 30 }).length > 1;
}

function renditionOf(
  step: LadderStep,
  source: LadderSource,
  bounds: { long: number; short: number; limit: number },
): PlannedRendition {
  const scale = Math.min(1, step.long / bounds.long, step.short / bounds.short);
  const pace = source.framesPerSecond > 40 ? 1.5 : 1;
  const rate = Math.max(fewestBits, Math.min(step.target * 1000 * pace, bounds.limit));
  const share = rate / (step.target * 1000);
  return {
    name: step.name,
    width: even(source.width * scale, source.width),
    height: even(source.height * scale, source.height),
    videoBits: Math.round(rate),
    maximumBits: Math.round(step.maximum * 1000 * share),
    bufferBits: Math.round(step.buffer * 1000 * share),
    audioBits,
  };
}

/** The first rendition if the source cannot be copied: encoding it takes a fraction of the time of the complete ladder. */
const quickName = '360p';

/** The rendition of a quick generation: one of the ladder. */
export function quickRendition(ladder: readonly PlannedRendition[]): PlannedRendition {
  const quick = ladder.find(({ name }) => name === quickName) ?? ladder[0];
  if (!quick) throw new Error('a ladder without renditions');
  return quick;
}

/** Assumed exponent of bits by pixels, for a high estimate: measurements give 0.55 to 0.76 (`docs/decisions/media.md#ladder`). */
const growthOfBits = 0.85;

/**
 * Omits the renditions that a film does not need: those below the highest rendition whose estimated bit rate does not exceed that
 * of the lowest step, since every viewer can play that bit rate. The lowest rendition always remains. `bits`: bit rate of
 * `sampled`; the bit rates of larger renditions are estimated from their size, rather too high.
 */
export function fittedLadder(
  ladder: readonly PlannedRendition[],
  sampled: PlannedRendition,
  bits: number,
): readonly PlannedRendition[] {
  const pixelsOf = ({ width, height }: PlannedRendition): number => width * height;
  const bitsOf = (one: PlannedRendition): number => bits * (pixelsOf(one) / pixelsOf(sampled)) ** growthOfBits;
  const everyLine = (ladderSteps[0]?.target ?? 0) * 1000;
  const highest = ladder.findLastIndex((one) => pixelsOf(one) >= pixelsOf(sampled) && bitsOf(one) <= everyLine);
  return ladder.filter((_, index) => index === 0 || index >= highest);
}

/** Rate limits for encoding a part of a rendition again, derived from its bit rate: nearly those of the table. */
export function limitsFor(videoBits: number): Pick<PlannedRendition, 'maximumBits' | 'bufferBits'> {
  return { maximumBits: Math.round(videoBits * 1.07), bufferBits: Math.round(videoBits * 1.5) };
}

/** The nearest even size that does not exceed the source: H.264 in 4:2:0 needs even sizes. */
function even(size: number, source: number): number {
  return Math.max(2, Math.min(Math.round(size / 2) * 2, Math.floor(source / 2) * 2));
}
