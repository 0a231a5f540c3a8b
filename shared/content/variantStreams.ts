import type { CaptionChannel } from '../media/closedCaptions/index.js';

/** One rendition in a master playlist. */
export interface VariantStream {
  readonly uri: string;
  /** The audio group of the variant. Undefined: it contains muxed audio. */
  readonly audioGroup?: string;
  /** Bits per second of the largest segment, with audio and container (RFC 8216, 4.3.4.2). */
  readonly peak: number;
  readonly average: number;
  readonly codecs: string;
  readonly width: number;
  readonly height: number;
  /** Null: unknown. */
  readonly framesPerSecond: number | null;
}

/** An audio rendition (`EXT-X-MEDIA`) of a master playlist. */
export interface AlternateAudio {
  readonly group: string;
  readonly name: string;
  /** Null: unknown. */
  readonly language: string | null;
  readonly isDefault: boolean;
  readonly channels: number;
  readonly uri: string;
}

/** The single audio track of all renditions, in a separate playlist. */
export const originalAudio: AlternateAudio = {
  ...{ group: 'audio', name: 'Original', language: null, isDefault: true, channels: 2, uri: 'audio.m3u8' },
};

/** The contents of a master playlist. */
export interface ListedVariants {
  readonly alternateAudio?: readonly AlternateAudio[];
  /** Lowest first. */
  readonly variants: readonly VariantStream[];
  /** Variants after `variants`. */
  readonly others?: readonly VariantStream[];
  /** Closed caption channels in the video of all variants. Default: none; players then offer no closed captions. */
  readonly closedCaptions?: readonly CaptionChannel[];
}

/** A master playlist. The middle rendition is first, because players start with it. */
export function variantPlaylist({
  alternateAudio = [],
  variants,
  others = [],
  closedCaptions = [],
}: ListedVariants): string {
  const lines = [...startingInTheMiddle(variants), ...others].flatMap((variant) => {
    const { uri, audioGroup, peak, average, codecs, width, height, framesPerSecond } = variant;
    const attributes = [
      `BANDWIDTH=${Math.ceil(peak)}`,
      `AVERAGE-BANDWIDTH=${Math.ceil(average)}`,
      `CODECS="${codecs}"`,
      `RESOLUTION=${width}x${height}`,
      ...(framesPerSecond === null ? [] : [`FRAME-RATE=${framesPerSecond.toFixed(3)}`]),
      ...(audioGroup === undefined ? [] : [`AUDIO="${audioGroup}"`]),
      closedCaptions.length > 0 ? `CLOSED-CAPTIONS="${closedCaptionGroup}"` : noClosedCaptions,
    ];
    return [`#EXT-X-STREAM-INF:${attributes.join(',')}`, uri];
  });
  const media = [...alternateAudio.map(audioLine), ...closedCaptions.map(closedCaptionLine)];
  const head = ['#EXTM3U', '#EXT-X-VERSION:7', '#EXT-X-INDEPENDENT-SEGMENTS', ...media];
  return `${[...head, ...lines].join('\n')}\n`;
}

const closedCaptionGroup = 'cc';
const noClosedCaptions = 'CLOSED-CAPTIONS=NONE';

function closedCaptionLine(channel: CaptionChannel): string {
  const described = `TYPE=CLOSED-CAPTIONS,GROUP-ID="${closedCaptionGroup}",NAME="${channel}"`;
  return `#EXT-X-MEDIA:${described},DEFAULT=NO,AUTOSELECT=YES,INSTREAM-ID="${channel}"`;
}

/**
 * Adds `CLOSED-CAPTIONS=NONE` to a stored master playlist. Earlier versions omitted it, although the video may contain closed
 * captions.
 */
export function withoutClosedCaptions(master: string): string {
  return master
    .split('\n')
    .map((line) =>
      line.startsWith('#EXT-X-STREAM-INF:') && !line.includes('CLOSED-CAPTIONS=')
        ? `${line},${noClosedCaptions}`
        : line,
    )
    .join('\n');
}

/** Replaces characters that a quoted string of a playlist must not contain (RFC 8216, 4.2). */
export function quotable(text: string): string {
  return text.replaceAll('"', "'").replaceAll(/\p{Cc}/gu, ' ');
}

/** The `EXT-X-MEDIA` line of an audio rendition. */
export function audioLine({ group, name, language, isDefault, channels, uri }: AlternateAudio): string {
  const attributes = [
    'TYPE=AUDIO',
    `GROUP-ID="${group}"`,
    `NAME="${quotable(name)}"`,
    ...(language === null ? [] : [`LANGUAGE="${language}"`]),
    `DEFAULT=${isDefault ? 'YES' : 'NO'}`,
    'AUTOSELECT=YES',
    `CHANNELS="${channels}"`,
    `URI="${uri}"`,
  ];
  return `#EXT-X-MEDIA:${attributes.join(',')}`;
}

function startingInTheMiddle<Variant>(variants: readonly Variant[]): Variant[] {
  const middle = Math.floor((variants.length - 1) / 2);
  return [...variants.slice(middle, middle + 1), ...variants.slice(0, middle), ...variants.slice(middle + 1)];
}

/** Size and duration of a segment. */
interface MeasuredSegment {
  readonly bytes: number;
  readonly durationSeconds: number;
}

/** Peak and average bits per second of at least one segment. */
export function bandwidthOf(segments: readonly MeasuredSegment[]): { peak: number; average: number } {
  const bytes = segments.reduce((sum, segment) => sum + segment.bytes, 0);
  const seconds = segments.reduce((sum, segment) => sum + segment.durationSeconds, 0);
  const average = Math.ceil((bytes * 8) / seconds);
  const peak = segments.reduce(
    (highest, one) => Math.max(highest, Math.ceil((one.bytes * 8) / one.durationSeconds)),
    average,
  );
  return { average, peak };
}
