import { coloursOf, type TaggedColours } from './colours.js';
import type { DeclaredStream } from './declaredEnd.js';
import type { AudioStream, SubtitleStream, VideoStream } from './probedSource.js';

const textSubtitles: ReadonlySet<string> = new Set(['subrip', 'srt', 'ass', 'ssa', 'mov_text', 'webvtt', 'text']);

/** A stream as ffprobe describes it. */
export interface ProbedStream extends DeclaredStream, TaggedColours {
  readonly index: number;
  readonly codec_type?: string;
  readonly codec_name?: string;
  readonly profile?: string;
  readonly level?: number;
  readonly has_b_frames?: number;
  readonly sample_rate?: string;
  readonly sample_aspect_ratio?: string;
  readonly field_order?: string;
  readonly time_base?: string;
  readonly start_time?: string;
  readonly channels?: number;
  readonly channel_layout?: string;
  readonly disposition?: Readonly<Record<string, number>>;
  readonly side_data_list?: readonly { readonly side_data_type?: string; readonly rotation?: number }[];
}

/** The default stream of the file, else the largest or the first. */
export function preferredStream(streams: readonly ProbedStream[]): ProbedStream | undefined {
  const size = (stream: ProbedStream): number => (stream.width ?? 0) * (stream.height ?? 0);
  const preferred = (stream: ProbedStream): number => stream.disposition?.['default'] ?? 0;
  return streams.toSorted(
    (left, right) => preferred(right) - preferred(left) || size(right) - size(left) || left.index - right.index,
  )[0];
}

export function describeVideo(stream: ProbedStream): VideoStream {
  const [ratioWidth = 1, ratioHeight = 1] = (stream.sample_aspect_ratio ?? '').split(':').map(Number);
  const stretch = ratioWidth > 0 && ratioHeight > 0 ? ratioWidth / ratioHeight : 1;
  const width = Math.round((stream.width ?? 0) * Math.min(8, Math.max(1 / 8, stretch)));
  const height = stream.height ?? 0;
  const rotation = stream.side_data_list?.map((data) => data.rotation).find((degrees) => degrees !== undefined) ?? 0;
  const upright = Math.abs(Math.round(rotation / 90)) % 2 === 0;
  return {
    index: stream.index,
    codec: stream.codec_name ?? '',
    width: upright ? width : height,
    height: upright ? height : width,
    timeBase: timeBaseOf(stream),
    interlaced: ['tt', 'bb', 'tb', 'bt'].includes(stream.field_order ?? ''),
    mayBeInterlaced: mayBeInterlaced(stream),
    highDynamicRange:
      stream.color_transfer === 'smpte2084' ? 'pq' : stream.color_transfer === 'arib-std-b67' ? 'hlg' : null,
    colours: coloursOf(stream),
    coded: {
      profile: stream.profile ?? '',
      level: stream.level ?? 0,
      pixelFormat: stream.pix_fmt ?? '',
      width: stream.width ?? 0,
      height,
      pixelAspect: stretch,
      isTransformed:
        rotation !== 0 ||
        stream.tags?.['rotate'] !== undefined ||
        (stream.side_data_list ?? []).some((data) => data.side_data_type === 'Display Matrix'),
      isReordered: (stream.has_b_frames ?? 0) > 0,
      startSeconds: Number(stream.start_time),
    },
  };
}

/**
 * The first frames are not decisive, because a broadcast may begin with a progressive part. The filter requires planar YUV and at
 * least four lines. In HEVC, a frame marked as interlaced is a single field.
 */
function mayBeInterlaced({ codec_name, pix_fmt = '', width = 0, height = 0 }: ProbedStream): boolean {
  return codec_name !== 'hevc' && /^yuvj?4\d\dp/.test(pix_fmt) && width >= 4 && height >= 4;
}

export function describeAudio(stream: ProbedStream, trackId: number): AudioStream {
  return {
    index: stream.index,
    ...{ trackId, language: stream.tags?.['language'] ?? '', title: stream.tags?.['title'] ?? '' },
    startSeconds: Number(stream.start_time) || 0,
    codec: stream.codec_name ?? '',
    profile: stream.profile ?? '',
    ...{ channels: stream.channels ?? 0, layout: stream.channel_layout ?? '' },
    sampleRate: Number(stream.sample_rate) || 0,
    timeBase: timeBaseOf(stream),
  };
}

export function isTextSubtitle({ codec_type, codec_name = '' }: ProbedStream): boolean {
  return codec_type === 'subtitle' && textSubtitles.has(codec_name);
}

export function describeSubtitles({ index, codec_name, tags, disposition }: ProbedStream): SubtitleStream {
  return {
    index,
    codec: codec_name ?? '',
    language: tags?.['language'] ?? '',
    title: tags?.['title'] ?? '',
    isForDeaf: disposition?.['hearing_impaired'] === 1,
    isForced: disposition?.['forced'] === 1,
    isDefault: disposition?.['default'] === 1,
  };
}

function timeBaseOf({ time_base }: ProbedStream): number {
  const [numerator = 1, denominator = 1] = (time_base ?? '1/1000').split('/').map(Number);
  return numerator / denominator;
}
