/** One rendition of a run. */
export interface LiveLadderStep {
  /** `720p`: the shorter side of the frame. */
  readonly name: string;
  readonly width: number;
  readonly height: number;
  /** Maximum average bits per second of video; `peakBandwidth.ts` computes the maximum of a segment. */
  readonly maxBits: number;
}

/** Bit rate of 1280 x 720 at up to 40 frames per second; for other sizes, proportional to a power of their pixels. */
const reference = { pixels: 1280 * 720, bits: 3_000_000, exponent: 0.85 };
const fastFramesPerSecond = 40;
const shareOfFast = 1.5;
/** A step nearly as large as the source is useless and costly. */
const largestShareOfTop = 0.9;

/**
 * The renditions of a source, highest first, at least one. A height is the length of the shorter side, so that portrait video has
 * the same steps. Sizes are even, have the aspect ratio of the source, and are never larger than it; the first one has the size of
 * the source if that is below the largest height.
 */
export function planLiveLadder(
  source: { readonly width: number; readonly height: number; readonly framesPerSecond: number },
  heights: readonly number[],
): LiveLadderStep[] {
  const short = Math.min(source.width, source.height);
  const top = Math.min(short, Math.max(...heights));
  const lower = heights.filter((height) => height <= top * largestShareOfTop);
  return [top, ...lower].map((height) => {
    const scale = height / short;
    const size = {
      width: even(source.width * scale, source.width),
      height: even(source.height * scale, source.height),
    };
    return { name: `${height}p`, ...size, maxBits: bitsFor(size, source.framesPerSecond) };
  });
}

/** H.264 in 4:2:0 needs even sizes: the nearest one that is not larger than the source. */
function even(size: number, source: number): number {
  return Math.max(2, Math.min(Math.round(size / 2) * 2, Math.floor(source / 2) * 2));
}

function bitsFor({ width, height }: { width: number; height: number }, framesPerSecond: number): number {
  const bits = reference.bits * ((width * height) / reference.pixels) ** reference.exponent;
  return Math.round((bits * (framesPerSecond > fastFramesPerSecond ? shareOfFast : 1)) / 1000) * 1000;
}
