import {
  openingOptions,
  isMediaFailure,
  type MediaSource,
  type AudioStream,
  type VideoStream,
  type MediaRun,
  type MediaRunner,
} from '../../media/index.js';
import type { CopyRefusal, NotCopied } from './copyRefusal.js';
import { AudioIndexer } from './audioIndex.js';
import { VideoIndexer, type PacketIndex } from './packetIndex.js';

/** The streams of a source that are copied. */
export interface CopiedStreams {
  readonly demuxer: string;
  readonly video: VideoStream;
  readonly audio: AudioStream | null;
  /** Number of streams at the beginning of the source. */
  readonly streamCount: number;
}

/** Stops reading at a packet that cannot be copied. */
class NotCopyable extends Error {
  constructor(readonly refusal: CopyRefusal) {
    super(refusal);
  }
}

/** The indexers of the streams of a source. */
interface Indexers {
  readonly video: VideoIndexer;
  readonly audio: AudioIndexer | null;
}

type IndexRun = MediaRun & { readonly maxDurationSeconds: number };

function indexersOf({ video, audio }: CopiedStreams, { maxDurationSeconds: maxSeconds }: IndexRun): Indexers {
  const { timeBase, coded } = video;
  return {
    video: new VideoIndexer({ timeBase, isReordered: coded.isReordered, maxSeconds }),
    audio: audio && new AudioIndexer(audio),
  };
}

/** Reads the packets of both streams with one ffprobe process, without decoding. Reads the complete file. */
export function readPackets(
  runner: MediaRunner,
  source: MediaSource,
  streams: CopiedStreams,
  run: IndexRun,
): Promise<PacketIndex | NotCopied> {
  return readInto(indexersOf(streams, run), runner, source, streams, run, () => {});
}

/** `onPacket` is called after each packet. */
async function readInto(
  indexers: Indexers,
  runner: MediaRunner,
  source: MediaSource,
  { demuxer, video, audio, streamCount }: CopiedStreams,
  run: IndexRun,
  onPacket: () => void,
): Promise<PacketIndex | NotCopied> {
  const { video: indexer, audio: audioIndexer } = indexers;
  const entries = 'packet=stream_index,pts,dts,duration,size,flags:packet_side_data=side_data_type';
  const options = [...openingOptions(demuxer, source), '-show_entries', entries, '-of', 'csv=p=0'];
  const onLine = (line: string): void => {
    // An empty line follows the side data of a packet.
    if (line === '') return;
    const [stream, pts, dts, duration, size, flags = ''] = line.split(',');
    // A new stream: another recording begins.
    if (Number(stream) >= streamCount) throw new NotCopyable('container');
    const isDropped = flags.includes('D');
    const isReconfigured = line.includes('New Extradata');
    if (audioIndexer && Number(stream) === audio?.index) {
      if (isReconfigured) audioIndexer.change();
      if (!isDropped) audioIndexer.add(ticks(pts));
      onPacket();
    }
    if (Number(stream) !== video.index) return;
    if (isReconfigured) throw new NotCopyable('parameterSets');
    if (isDropped) throw new NotCopyable('editList');
    const packet = { tick: ticks(pts), decodeTick: ticks(dts), duration: ticks(duration), bytes: Number(size) || 0 };
    indexer.add({ ...packet, isKeyframe: flags.includes('K') });
    if (indexer.refusal) throw new NotCopyable(indexer.refusal);
    onPacket();
  };
  try {
    await runner.inspect([...options, source.address], { ...run, onLine });
  } catch (error) {
    if (error instanceof NotCopyable) return { refusal: error.refusal };
    if (isMediaFailure(error)) return { refusal: 'truncated' };
    throw error;
  }
  const index = indexer.finish();
  if ('refusal' in index) return index;
  return { video: index, audio: audioIndexer?.finish() ?? null, startSeconds: indexer.startSeconds };
}

/** The index of a source during its upload. */
export interface PartialIndex {
  /** The index so far: its video grows, and of the audio only the start is known. */
  readonly soFar: PacketIndex;
  /** Resolves when this number of segments is known, or all segments are. */
  until(segments: number): Promise<void>;
  /** The index of the complete source, or the reason why it cannot be copied after all. */
  readonly complete: Promise<PacketIndex | NotCopied>;
}

/**
 * Starts to read the packets. Resolves when the first segment and the start of the audio are known, or when the source has ended.
 */
export async function followPackets(
  runner: MediaRunner,
  source: MediaSource,
  streams: CopiedStreams,
  run: IndexRun,
): Promise<PartialIndex | NotCopied> {
  const indexers = indexersOf(streams, run);
  const { video, audio } = indexers;
  const waiting = new Set<{ readonly isKnown: () => boolean; readonly resolve: () => void }>();
  const notify = (): void => {
    for (const one of waiting) if (one.isKnown() && waiting.delete(one)) one.resolve();
  };
  let hasEnded = false;
  const complete = readInto(indexers, runner, source, streams, run, notify).finally(() => {
    hasEnded = true;
    notify();
  });
  // Awaiting it reports its error; an error that nobody awaits is no unhandled rejection.
  complete.catch(() => {});
  const known = (isKnown: () => boolean): Promise<void> =>
    new Promise((resolve) => {
      waiting.add({ isKnown: () => hasEnded || isKnown(), resolve });
      notify();
    });
  await known(() => video.closed.segments.length > 0 && (audio === null || Number.isFinite(audio.startSeconds)));
  if (hasEnded) {
    const ended = await complete;
    if ('refusal' in ended) return ended;
  }
  return {
    complete,
    until: (segments) => known(() => video.closed.segments.length >= segments),
    soFar: {
      video: video.closed,
      audio: audio && { startSeconds: audio.startSeconds, durationSeconds: 0, isContinuous: true },
      startSeconds: video.startSeconds,
    },
  };
}

function ticks(text: string | undefined): number {
  return text === undefined || text === '' || text === 'N/A' ? Number.NaN : Number(text);
}
