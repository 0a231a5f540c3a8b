/** One rendition in a master playlist. */
export interface VariantStream {
  readonly uri: string;
  /** Bits per second of the largest segment, with audio and container (RFC 8216, 4.3.4.2). */
  readonly peak: number;
  readonly average: number;
  readonly codecs: string;
  readonly width: number;
  readonly height: number;
  /** Null: not said. */
  readonly framesPerSecond: number | null;
}

/** A master playlist. The middle rendition is first, because players start with it. */
export function variantPlaylist(variants: readonly VariantStream[]): string {
  const lines = startingInTheMiddle(variants).flatMap((variant) => {
    const { uri, peak, average, codecs, width, height, framesPerSecond } = variant;
    const attributes = [
      `BANDWIDTH=${Math.ceil(peak)}`,
      `AVERAGE-BANDWIDTH=${Math.ceil(average)}`,
      `CODECS="${codecs}"`,
      `RESOLUTION=${width}x${height}`,
      ...(framesPerSecond === null ? [] : [`FRAME-RATE=${framesPerSecond.toFixed(3)}`]),
    ];
    return [`#EXT-X-STREAM-INF:${attributes.join(',')}`, uri];
  });
  return `${['#EXTM3U', '#EXT-X-VERSION:7', '#EXT-X-INDEPENDENT-SEGMENTS', ...lines].join('\n')}\n`;
}

function startingInTheMiddle<Variant>(variants: readonly Variant[]): Variant[] {
  const middle = Math.floor((variants.length - 1) / 2);
  return [...variants.slice(middle, middle + 1), ...variants.slice(0, middle), ...variants.slice(middle + 1)];
}

/** The size and length of a segment. */
interface MeasuredSegment {
  readonly bytes: number;
  readonly durationSeconds: number;
}

/** Bits per second of the largest of some segments, and on average. At least one. */
export function bandwidthOf(segments: readonly MeasuredSegment[]): { peak: number; average: number } {
  const bytes = segments.reduce((sum, segment) => sum + segment.bytes, 0);
  const seconds = segments.reduce((sum, segment) => sum + segment.durationSeconds, 0);
  const average = Math.ceil((bytes * 8) / seconds);
  const peak = segments.reduce(
    (most, one) => Math.max(most, Math.ceil((one.bytes * 8) / one.durationSeconds)),
    average,
  );
  return { average, peak };
}
