import { openingOptions, type MediaSource } from '../../media/demuxers.js';
import type { AudioStream, VideoStream } from '../../media/probe.js';
import { isMediaFailure, type MediaRun, type MediaRunner } from '../../media/runner.js';
import type { CopyRefusal, NotCopied } from './copyRefusal.js';
import { AudioIndexer } from './audioIndex.js';
import { VideoIndexer, type PacketIndex } from './packetIndex.js';

/** The streams of a source that are copied. */
export interface CopiedStreams {
  readonly demuxer: string;
  readonly video: VideoStream;
  readonly audio: AudioStream | null;
}

/** Ends the reading where a packet cannot be copied. */
class NotCopyable extends Error {
  constructor(readonly refusal: CopyRefusal) {
    super(refusal);
  }
}

/** Reads the packets of both streams with one ffprobe, without decoding; it reads the whole file. */
export async function readPackets(
  runner: MediaRunner,
  source: MediaSource,
  { demuxer, video, audio }: CopiedStreams,
  run: MediaRun & { readonly maximumDurationSeconds: number },
): Promise<PacketIndex | NotCopied> {
  const indexer = new VideoIndexer({
    ...{ timeBase: video.timeBase, isReordered: video.coded.isReordered, mostSeconds: run.maximumDurationSeconds },
  });
  const audioIndexer = audio && new AudioIndexer(audio);
  const entries = 'packet=stream_index,pts,dts,duration,size,flags:packet_side_data=side_data_type';
  const options = [...openingOptions(demuxer, source), '-show_entries', entries, '-of', 'csv=p=0'];
  const onLine = (line: string): void => {
    // Follows the additional data of a packet.
    if (line === '') return;
    const [stream, pts, dts, duration, size, flags = ''] = line.split(',');
    const isDropped = flags.includes('D');
    const isReconfigured = line.includes('New Extradata');
    if (audioIndexer && Number(stream) === audio?.index) {
      if (isReconfigured) audioIndexer.change();
      if (!isDropped) audioIndexer.add(ticks(pts));
    }
    if (Number(stream) !== video.index) return;
    if (isReconfigured) throw new NotCopyable('parameterSets');
    if (isDropped) throw new NotCopyable('editList');
    const packet = { tick: ticks(pts), decodeTick: ticks(dts), duration: ticks(duration), bytes: Number(size) || 0 };
    indexer.add({ ...packet, isKeyframe: flags.includes('K') });
    if (indexer.refusal) throw new NotCopyable(indexer.refusal);
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

function ticks(text: string | undefined): number {
  return text === undefined || text === '' || text === 'N/A' ? Number.NaN : Number(text);
}
