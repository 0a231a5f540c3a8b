import type { CaptionChannel } from '../media/closedCaptions/index.js';

/** One rendition in a master playlist. */
export interface VariantStream {
  readonly uri: string;
  /** The group of audio that it is played with. Undefined: it has its own. */
  readonly audioGroup?: string;
  /** Bits per second of the largest segment, with audio and container (RFC 8216, 4.3.4.2). */
  readonly peak: number;
  readonly average: number;
  readonly codecs: string;
  readonly width: number;
  readonly height: number;
  /** Null: not said. */
  readonly framesPerSecond: number | null;
}

/** Audio beside the renditions of a master playlist. */
export interface AlternateAudio {
  readonly group: string;
  readonly name: string;
  /** Null: not known. */
  readonly language: string | null;
  readonly isDefault: boolean;
  readonly channels: number;
  readonly uri: string;
}

/** The only audio of all renditions, in a list of its own. */
export const originalAudio: AlternateAudio = {
  ...{ group: 'audio', name: 'Original', language: null, isDefault: true, channels: 2, uri: 'audio.m3u8' },
};

/** What a master playlist lists. */
export interface ListedVariants {
  readonly alternateAudio?: readonly AlternateAudio[];
  /** Lowest first. */
  readonly variants: readonly VariantStream[];
  /** Behind the variants. */
  readonly others?: readonly VariantStream[];
  /** Channels of closed captions in the video of all variants. Default: none; players then offer none that the video may have. */
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
 * A master playlist of a content as it is stored. Earlier versions did not say that its closed captions are not to be offered: its video may still
 * have them.
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

/** A quoted string of a playlist has no quote and no end of line (RFC 8216, 4.2). */
export function quotable(text: string): string {
  return text.replaceAll('"', "'").replaceAll(/\p{Cc}/gu, ' ');
}

/** The line of a master playlist that offers audio. */
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
