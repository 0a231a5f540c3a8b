import { spawn } from 'node:child_process';
import { frameRateFor } from '../../../shared/media/frameRate.js';
import type { Config } from '../../../shared/platform/config.js';
import { withTimeLimit } from '../../../shared/platform/withTimeout.js';
import { openFfmpegRunner, mixTo, toolEnvironment, killedWithParent } from '../../media/index.js';
import { RtmpPlayer } from '../../rtmp/index.js';
import { fromFirstKeyframe } from './fromFirstKeyframe.js';
import { maxPixels } from './mediaTag.js';
import { flvSource, SourceError, type RunSource } from './runSource.js';

/** A source that sends no byte for this time has ended. Longer than a keyframe interval, in which a server may send nothing. */
const idleMs = 15_000;
const idleMicroseconds = String(idleMs * 1000);
/**
 * Maximum duration of audio without a sign of video. Metadata and the video configuration precede the audio, or follow with the
 * next frame.
 */
const videoWaitMs = 2_000;

/** The first packets of RTSP may have no timestamp, which FLV cannot have. */
const rtspOptions = ['-rtsp_transport', 'tcp', '-timeout', idleMicroseconds, '-fflags', '+genpts'];

/**
 * The permitted protocols and demuxers of each scheme: its protocol with lower layers, and containers that cannot refer to other
 * addresses.
 */
const schemes: Readonly<Record<string, { protocols: string; demuxers: string; options: readonly string[] }>> = {
  'rtsp:': {
    protocols: 'rtsp,rtp,tcp',
    demuxers: 'rtsp',
    options: rtspOptions,
  },
  'rtsps:': {
    protocols: 'rtsps,rtsp,rtp,tls,tcp',
    demuxers: 'rtsp',
    options: rtspOptions,
  },
  'srt:': { protocols: 'srt', demuxers: 'mpegts', options: ['-timeout', idleMicroseconds] },
  'http:': { protocols: 'http,tcp', demuxers: 'flv,mpegts', options: ['-rw_timeout', idleMicroseconds] },
  'https:': { protocols: 'https,tls,tcp,http', demuxers: 'flv,mpegts', options: ['-rw_timeout', idleMicroseconds] },
};

/**
 * How much of a source is read to find its tracks. It ends early when all announced tracks are found. Video begins with a keyframe,
 * and the interval of x264 is 250 frames: 10 s, in which a server may send only audio.
 */
const analyzed = ['-analyzeduration', '12000000', '-probesize', '20000000'];
const bounds = ['-max_alloc', String(512 * 1024 ** 2), ...analyzed];
const probeSeconds = 20;

interface PulledStream {
  readonly codec_type?: string;
  readonly codec_name?: string;
  readonly width?: number;
  readonly height?: number;
  readonly avg_frame_rate?: string;
  readonly r_frame_rate?: string;
  readonly channels?: number;
  readonly channel_layout?: string;
}

export interface PulledAddress {
  readonly url: string;
  /** Called for RTMP when the server will send all media, including that of an encoder that begins later. */
  readonly onConnected?: () => void;
}

/**
 * Reads an address and passes on its media as H.264 and AAC, like an encoder. A stream with video begins with a keyframe. Media
 * from RTMP is not converted, because it has the formats that an encoder may send. Rejects with SourceError.
 */
export async function openPulledStream(
  config: Config,
  { url, onConnected }: PulledAddress,
  signal: AbortSignal,
): Promise<RunSource> {
  if (!isRtmp(url)) return openConvertedStream(config, url, signal);
  const player = new RtmpPlayer(new URL(url), { idleMs, signal, onPlaying: () => onConnected?.() });
  const announcesVideo = (): boolean => Boolean(player.metadata?.videocodecid ?? player.metadata?.width);
  const tags = fromFirstKeyframe(player.tags(), { unknownWaitMs: videoWaitMs, announcesVideo });
  return { tags, close: () => player.close() };
}

function isRtmp(url: string): boolean {
  return URL.canParse(url) && ['rtmp:', 'rtmps:'].includes(new URL(url).protocol);
}

/**
 * Reads media over other protocols. Codecs other than H.264 and AAC are converted; converted video gets a keyframe every two
 * seconds. The process ends with the source.
 */
async function openConvertedStream(config: Config, url: string, signal: AbortSignal): Promise<RunSource> {
  const input = inputOf(url);
  const tracks = await probedTracks(config, input, signal);
  const [program, ...words] = killedWithParent(config.media.ffmpegPath);
  const output = [
    '-map_metadata',
    '-1',
    '-flvflags',
    'no_duration_filesize',
    '-flush_packets',
    '1',
    '-f',
    'flv',
    'pipe:1',
  ];
  const child = spawn(
    program,
    [
      ...[...words, '-hide_banner', '-nostdin', '-loglevel', 'error', '-max_pixels', String(maxPixels)],
      ...[...input, ...tracks, ...output],
    ],
    { env: toolEnvironment(), stdio: ['ignore', 'pipe', 'ignore'], signal, killSignal: 'SIGKILL' },
  );
  // Without free file descriptors the process has no pipe, and the next line throws.
  child.on('error', (error) => child.stdout?.destroy(signal.aborted ? undefined : error));
  // The reader of the stream reports the error.
  child.stdout.on('error', () => {});
  child.stdout.once('close', () => child.kill('SIGKILL'));
  const source = flvSource(child.stdout);
  // ffmpeg writes the configurations of all tracks first, so a stream that begins with other tags has no video.
  return { ...source, tags: fromFirstKeyframe(source.tags, { unknownWaitMs: 0, announcesVideo: () => false }) };
}

/** Probes a source, and returns the ffmpeg options for its tracks. Rejects with SourceError. */
async function probedTracks(config: Config, input: readonly string[], signal: AbortSignal): Promise<string[]> {
  const streams = await probe(config, input, signal);
  const video = streams.find(({ codec_type: type }) => type === 'video');
  const audio = streams.find(({ codec_type: type }) => type === 'audio');
  if (!video && !audio) throw new SourceError('the source has neither video nor audio');
  if (video && (video.width ?? 0) * (video.height ?? 0) > maxPixels)
    throw new SourceError(`the video has ${video.width} x ${video.height} pixels, which is too large`);
  return [...videoOptions(video, config), ...audioOptions(audio)];
}

function inputOf(url: string): string[] {
  const scheme = URL.canParse(url) ? schemes[new URL(url).protocol] : undefined;
  if (!scheme) throw new SourceError('the address of the source has a protocol that is not supported');
  const { protocols, demuxers, options } = scheme;
  return [...bounds, '-protocol_whitelist', protocols, '-format_whitelist', demuxers, ...options, '-i', url];
}

async function probe(config: Config, input: readonly string[], signal: AbortSignal): Promise<PulledStream[]> {
  let response = '';
  try {
    const options = ['-show_streams', '-of', 'json=compact=1', ...input];
    const onLine = (line: string): void => void (response += line);
    await withTimeLimit(signal, probeSeconds * 1000, (limited) =>
      openFfmpegRunner(config.media).inspect(options, { signal: limited, stallSeconds: probeSeconds, onLine }),
    );
    return (JSON.parse(response) as { streams?: PulledStream[] }).streams ?? [];
  } catch {
    // The output of ffprobe contains the address, with its credentials.
    throw new SourceError('the source cannot be read');
  }
}

function videoOptions(video: PulledStream | undefined, config: Config): string[] {
  if (!video) return ['-vn'];
  if (video.codec_name === 'h264') return ['-map', '0:v:0', '-c:v', 'copy'];
  const [count = 25, seconds = 1] = (video.avg_frame_rate ?? '').split('/').map(Number);
  const isConstant = video.avg_frame_rate === video.r_frame_rate;
  const [rate, scale] = frameRateFor(count > 0 && seconds > 0 ? count / seconds : 25, isConstant);
  const shorter = Math.max(...config.live.renditionHeights);
  const size = `w='trunc(iw*min(1,${shorter}/min(iw,ih))/2)*2':h='trunc(ih*min(1,${shorter}/min(iw,ih))/2)*2'`;
  return [
    ...['-map', '0:v:0', '-vf', `scale=${size},setsar=1,fps=${rate}/${scale},format=yuv420p`],
    ...['-c:v', 'libx264', '-preset', config.live.preset, '-crf', '20', '-bf', '0'],
    ...['-force_key_frames', 'expr:gte(t,n_forced*2)', '-x264-params', 'scenecut=0:open-gop=0:keyint=infinite'],
  ];
}

function audioOptions(audio: PulledStream | undefined): string[] {
  if (!audio) return ['-an'];
  const mix = mixTo(2, { channels: audio.channels ?? 2, layout: audio.channel_layout ?? '' });
  const filter = mix.length === 0 ? [] : ['-af', mix.join(',')];
  const convert = [...filter, '-c:a', 'aac', '-b:a', '192k', '-ac', '2', '-ar', '48000'];
  return ['-map', '0:a:0', ...(audio.codec_name === 'aac' ? ['-c:a', 'copy'] : convert)];
}
