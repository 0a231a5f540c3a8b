import type { Content } from '../../../shared/content/content.model.js';
import { fileSource, type MediaSource } from '../../media/demuxers.js';
import { probe, type ProbedSource } from '../../media/probe.js';
import { TooManyReadsError, withRangeServer, type RangedFile } from '../../media/rangeServer.js';
import type { MediaRun } from '../../media/runner.js';
import type { WorkerContext } from '../../runtime/workerContext.js';
import type { ByteRange } from '../../../shared/platform/storage/byteRange.js';
import type { ArrivingFile } from '../arrivingFile.js';
import { rangeReaderOf } from '../rangeReader.js';
import { audioFor, refusalOf, type CopiedAudio } from './copyable.js';
import { CopyError, type NotCopied } from './copyRefusal.js';
import type { PacketIndex } from './packetIndex.js';
import { readPackets, type CopiedStreams } from './readPackets.js';
import { readSampleTable } from './sampleTable.js';

/** A source that can be copied. */
export interface CopyableSource {
  readonly source: MediaSource;
  readonly description: ProbedSource;
  readonly streams: CopiedStreams;
  readonly index: PacketIndex;
  readonly audio: CopiedAudio;
}

/**
 * Finds out whether a source can be copied, and runs `work` with it where it can. A file of an object store is read in ranges where
 * its own index says enough, and ffmpeg reads it in its order; else it is fetched. One that arrives is read in ranges too, or not at all. Throws MediaFault where it cannot be processed at all.
 */
export async function withCopyableSource<Result>(
  ctx: WorkerContext,
  content: Content,
  run: MediaRun,
  work: (copyable: CopyableSource) => Promise<Result>,
  arriving?: ArrivingFile,
): Promise<Result | NotCopied> {
  const { sourceKey: key, sourceBytes: bytes } = content;
  const stored = { bytes, read: (range: ByteRange) => ctx.storage.read(key, range) };
  const file: RangedFile = arriving ?? stored;
  const { runner, sources } = ctx.media;
  const limits = ctx.config.media;
  const begin = async (source: MediaSource): Promise<Result | NotCopied> => {
    const description = await probe(runner, source, limits, run.signal);
    const refusal = refusalOf(description);
    if (refusal || !description.video) return { refusal: refusal ?? 'noVideo' };
    const streams = { demuxer: description.demuxer, video: description.video, audio: description.audio };
    const table =
      description.demuxer === 'mov'
        ? await readSampleTable(rangeReaderOf(file), streams, limits, { isArriving: arriving !== undefined })
        : null;
    const decide = async (read: MediaSource, index: PacketIndex | NotCopied): Promise<Result | NotCopied> => {
      const copyable = decided(streams, index);
      return 'refusal' in copyable ? copyable : work({ ...copyable, source: read, description, streams });
    };
    if (table && ('refusal' in table || table.isInterleaved)) return decide(source, table);
    // Its index is known when it has been read whole, or it is not read in its order.
    if (arriving) return { refusal: 'container' };
    return sources.use(key, run.signal, async (path) => {
      const local = fileSource(path);
      return decide(local, table ?? (await readPackets(runner, local, streams, { ...run, ...limits })));
    });
  };
  const path = arriving ? null : ctx.storage.localPath(key);
  if (path !== null) return begin(fileSource(path));
  return withRangeServer(file, begin).catch((error: unknown) => {
    throw error instanceof TooManyReadsError ? new CopyError(error.message) : error;
  });
}

function decided(
  { audio }: CopiedStreams,
  index: PacketIndex | NotCopied,
): NotCopied | { index: PacketIndex; audio: CopiedAudio } {
  if ('refusal' in index) return index;
  const copied = audioFor(audio, index);
  return typeof copied === 'string' ? { index, audio: copied } : copied;
}
