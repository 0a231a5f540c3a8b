import { maxAudioTracks } from '../../shared/media/audioPackets.js';
import { withTimeLimit } from '../../shared/platform/withTimeout.js';
import { coversAmong } from './coverImages.js';
import {
  demuxerNamed,
  fileSource,
  openingOptions,
  sniffingBounds,
  sniffingOptions,
  type MediaSource,
} from './demuxers.js';
import { declaredEnds, type DeclaredFormat } from './declaredEnd.js';
import { MediaFault } from './mediaFault.js';
import type { ProbedSource } from './probedSource.js';
import {
  describeAudio,
  describeSubtitles,
  describeVideo,
  isTextSubtitle,
  preferredStream,
  type ProbedStream,
} from './probedStream.js';
import { isMediaFailure, MediaStalledError, type MediaRunner } from './runner.js';

/** Maximum length of ffprobe's response. */
const maxResponseLength = 8 * 1024 ** 2;
const probeSeconds = 120;
/** Maximum of streams in a file. Television recordings have fewer, and reading the packets of many more is expensive. */
export const maxStreams = 64;

/** Detects the format of a source, a path or an address, and chooses its streams. Throws MediaFault if it cannot be processed. */
export async function probe(
  runner: MediaRunner,
  source: string | MediaSource,
  limits: { readonly maxPixels: number },
  signal: AbortSignal,
): Promise<ProbedSource> {
  const opened = typeof source === 'string' ? fileSource(source) : source;
  const response = await ask(runner, opened, signal);
  const demuxer = demuxerNamed(response.format?.format_name ?? '');
  if (!demuxer) throw new MediaFault('content.failure.unsupported', `format ${response.format?.format_name}`);
  const streams = response.streams ?? [];
  if (streams.length > maxStreams) throw new MediaFault('content.failure.tooManyStreams', `${streams.length} streams`);
  const images = streams.filter(
    (stream) => stream.codec_type === 'video' && stream.codec_name && stream.width && stream.height,
  );
  const tooLarge = images.find((stream) => (stream.width ?? 0) * (stream.height ?? 0) > limits.maxPixels);
  if (tooLarge) throw new MediaFault('content.failure.tooManyPixels', `${tooLarge.width} x ${tooLarge.height}`);
  const covers = await coversAmong(images, (options, onLine) =>
    inspectWithin(runner, [...sniffingBounds, ...openingOptions(demuxer, opened), ...options, opened.address], {
      ...{ signal, onLine },
    }),
  );
  const videos = images.filter((stream) => !covers.has(stream));
  const video = preferredStream(videos);
  const audioStreams = streams
    .filter((one) => one.codec_type === 'audio' && one.codec_name && one.channels)
    .slice(0, maxAudioTracks);
  const audio = preferredStream(audioStreams);
  if (!video && !audio) throw new MediaFault('content.failure.nothingToPlay', 'no decodable video or audio stream');
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
      if (response.length > maxResponseLength)
        throw new MediaFault('content.failure.tooManyStreams', 'the response of ffprobe is too long');
    };
    await inspectWithin(runner, options, { signal, onLine });
    return JSON.parse(response) as object;
  } catch (error) {
    if (signal.aborted) throw signal.reason;
    if (isMediaFailure(error)) throw new MediaFault(failureKeyOf(error.message), error.message);
    if (error instanceof SyntaxError)
      throw new MediaFault('content.failure.unreadable', `ffprobe returned no valid response: ${error.message}`);
    throw error;
  }
}

/** Runs ffprobe for at most `probeSeconds`. Rejects like its runner, and with MediaStalledError after this time. */
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
