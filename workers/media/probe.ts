import type { SourceColours } from '../../shared/content/plan.js';
import { maxAudioTracks } from '../../shared/media/audioPackets.js';
import { withTimeLimit } from '../../shared/platform/withTimeout.js';
import { coloursOf, type TaggedColours } from './colours.js';
import { coversAmong } from './coverImages.js';
import {
  demuxerNamed,
  fileSource,
  openingOptions,
  sniffingBounds,
  sniffingOptions,
  type MediaSource,
} from './demuxers.js';
import { declaredEnds, type DeclaredEnds, type DeclaredFormat, type DeclaredStream } from './declaredEnd.js';
import { MediaFault } from './mediaFault.js';
import { isMediaFailure, MediaStalledError, type MediaRunner } from './runner.js';

/** A longer response of ffprobe is an error. */
const maximumResponseLength = 8 * 1024 ** 2;
const probeSeconds = 120;
/** Of one file. A recording of a television network has fewer; reading the packets of many more is expensive. */
export const maximumStreams = 64;

export interface VideoStream {
  readonly index: number;
  readonly codec: string;
  /** After rotation, in square pixels. */
  readonly width: number;
  readonly height: number;
  /** Seconds of one tick. */
  readonly timeBase: number;
  /** By its first frames. */
  readonly interlaced: boolean;
  /** Its later frames may be interlaced, and can be deinterlaced. */
  readonly mayBeInterlaced: boolean;
  readonly highDynamicRange: 'pq' | 'hlg' | null;
  readonly colours: SourceColours;
  /** As it is coded; for deciding whether it can be copied. */
  readonly coded: {
    readonly profile: string;
    /** 40 is level 4.0. */
    readonly level: number;
    readonly pixelFormat: string;
    readonly width: number;
    readonly height: number;
    /** Width by height of a pixel. */
    readonly pixelAspect: number;
    /** It is shown rotated or mirrored. */
    readonly isTransformed: boolean;
    /** Frames are decoded in another order than they are shown. */
    readonly isReordered: boolean;
    /** The first presentation time. */
    readonly startSeconds: number;
  };
}

export interface AudioStream {
  readonly index: number;
  /** Its place among the audio streams of the file, from 0. */
  readonly trackId: number;
  /** As the file names it. */
  readonly language: string;
  readonly title: string;
  readonly startSeconds: number;
  readonly codec: string;
  readonly profile: string;
  readonly channels: number;
  /** The positions of its channels, as ffprobe names them; empty where the file does not say. */
  readonly layout: string;
  readonly sampleRate: number;
  /** Seconds of one tick. */
  readonly timeBase: number;
}

/** Subtitles as text. Those that are pictures have no words. */
export interface SubtitleStream {
  readonly index: number;
  readonly codec: string;
  /** As the file names it, in most containers by three letters (ISO 639-2). */
  readonly language: string;
  readonly title: string;
  /** They also say which sounds there are. */
  readonly isForDeaf: boolean;
  /** They translate only what is in another language than the audio. */
  readonly isForced: boolean;
  readonly isDefault: boolean;
}

export interface ProbedSource {
  readonly demuxer: string;
  readonly video: VideoStream | null;
  /** The one that plays by default. */
  readonly audio: AudioStream | null;
  /** All of them, in the order of the file; at most `maxAudioTracks`. */
  readonly audioStreams: readonly AudioStream[];
  /** With those beyond them, and those of unknown codecs. */
  readonly audioCount: number;
  /** Index of the stream with a cover image. */
  readonly cover: number | null;
  readonly subtitles: readonly SubtitleStream[];
  readonly declaredEnds: DeclaredEnds;
  /** At its beginning: a transport stream may have more further on. */
  readonly streamCount: number;
  /** Without cover images. */
  readonly videoCount: number;
}

const textSubtitles: ReadonlySet<string> = new Set(['subrip', 'srt', 'ass', 'ssa', 'mov_text', 'webvtt', 'text']);

interface ProbedStream extends DeclaredStream, TaggedColours {
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

/** Finds out the format of a file, given by its path, and chooses its streams. Throws MediaFault where it cannot be processed. */
export async function probe(
  runner: MediaRunner,
  source: string | MediaSource,
  limits: { readonly maximumPixels: number },
  signal: AbortSignal,
): Promise<ProbedSource> {
  const opened = typeof source === 'string' ? fileSource(source) : source;
  const response = await ask(runner, opened, signal);
  const demuxer = demuxerNamed(response.format?.format_name ?? '');
  if (!demuxer) throw new MediaFault('content.failure.unsupported', `format ${response.format?.format_name}`);
  const streams = response.streams ?? [];
  if (streams.length > maximumStreams)
    throw new MediaFault('content.failure.tooManyStreams', `${streams.length} streams`);
  const images = streams.filter(
    (stream) => stream.codec_type === 'video' && stream.codec_name && stream.width && stream.height,
  );
  const tooLarge = images.find((stream) => (stream.width ?? 0) * (stream.height ?? 0) > limits.maximumPixels);
  if (tooLarge) throw new MediaFault('content.failure.tooManyPixels', `${tooLarge.width} x ${tooLarge.height}`);
  const covers = await coversAmong(images, (options, onLine) =>
    inspectWithin(runner, [...sniffingBounds, ...openingOptions(demuxer, opened), ...options, opened.address], {
      ...{ signal, onLine },
    }),
  );
  const videos = images.filter((stream) => !covers.has(stream));
  const video = best(videos);
  const audioStreams = streams
    .filter((one) => one.codec_type === 'audio' && one.codec_name && one.channels)
    .slice(0, maxAudioTracks);
  const audio = best(audioStreams);
  if (!video && !audio)
    throw new MediaFault('content.failure.nothingToPlay', 'no stream of video or audio that can be decoded');
  return {
    demuxer,
    video: video ? describeVideo(video) : null,
    audio: audio ? describeAudio(audio, audioStreams.indexOf(audio)) : null,
    audioStreams: audioStreams.map(describeAudio),
    audioCount: streams.filter((one) => one.codec_type === 'audio' && (!one.codec_name || one.channels)).length,
    cover: images.find((stream) => covers.has(stream))?.index ?? null,
    subtitles: streams.filter(isTextSubtitle).map(describeSubtitles),
    declaredEnds: declaredEnds(demuxer, { video, audio }, response.format ?? {}),
    streamCount: streams.length,
    videoCount: videos.length,
  };
}

async function ask(
  runner: MediaRunner,
  source: MediaSource,
  signal: AbortSignal,
): Promise<{ format?: DeclaredFormat & { format_name?: string }; streams?: ProbedStream[] }> {
  let response = '';
  try {
    const options = [
      ...sniffingOptions(source),
      '-show_format',
      '-show_streams',
      '-of',
      'json=compact=1',
      source.address,
    ];
    const onLine = (line: string): void => {
      response += line;
      if (response.length > maximumResponseLength)
        throw new MediaFault('content.failure.tooManyStreams', 'the response of ffprobe is too long');
    };
    await inspectWithin(runner, options, { signal, onLine });
    return JSON.parse(response) as object;
  } catch (error) {
    if (signal.aborted) throw signal.reason;
    if (isMediaFailure(error)) throw new MediaFault(failureKeyOf(error.message), error.message);
    if (error instanceof SyntaxError)
      throw new MediaFault('content.failure.unreadable', `ffprobe gave no response: ${error.message}`);
    throw error;
  }
}

/** Runs ffprobe for `probeSeconds` at most. Rejects as its runner does. */
async function inspectWithin(
  runner: MediaRunner,
  options: readonly string[],
  { signal, onLine }: { readonly signal: AbortSignal; readonly onLine: (line: string) => void },
): Promise<void> {
  try {
    await withTimeLimit(signal, probeSeconds * 1000, (limited) =>
      runner.inspect(options, { signal: limited, stallSeconds: probeSeconds, onLine }),
    );
  } catch (error) {
    if (!signal.aborted && (error as Error).name === 'TimeoutError')
      throw new MediaStalledError(`no response of ffprobe within ${probeSeconds} s`);
    throw error;
  }
}

function failureKeyOf(message: string): 'content.failure.unreadable' | 'content.failure.unsupported' {
  return /moov atom not found|End of file|EBML|partial file|contradictionary/i.test(message)
    ? 'content.failure.unreadable'
    : 'content.failure.unsupported';
}

/** The default stream of the file, else the largest or the first. */
function best(streams: readonly ProbedStream[]): ProbedStream | undefined {
  const size = (stream: ProbedStream): number => (stream.width ?? 0) * (stream.height ?? 0);
  const preferred = (stream: ProbedStream): number => stream.disposition?.['default'] ?? 0;
  return streams.toSorted(
    (left, right) => preferred(right) - preferred(left) || size(right) - size(left) || left.index - right.index,
  )[0];
}

function describeVideo(stream: ProbedStream): VideoStream {
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
 * A broadcast may begin with a progressive spot, so the first frames do not decide. The filter takes planar YUV, and four lines or more.
 * Of HEVC, a frame that is marked as interlaced is one field.
 */
function mayBeInterlaced({ codec_name, pix_fmt = '', width = 0, height = 0 }: ProbedStream): boolean {
  return codec_name !== 'hevc' && /^yuvj?4\d\dp/.test(pix_fmt) && width >= 4 && height >= 4;
}

function describeAudio(stream: ProbedStream, trackId: number): AudioStream {
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

function isTextSubtitle({ codec_type, codec_name = '' }: ProbedStream): boolean {
  return codec_type === 'subtitle' && textSubtitles.has(codec_name);
}

function describeSubtitles({ index, codec_name, tags, disposition }: ProbedStream): SubtitleStream {
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
