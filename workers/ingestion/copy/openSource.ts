import type { Content } from '../../../shared/content/content.model.js';
import { fileSource, type MediaSource } from '../../media/demuxers.js';
import { probe, type ProbedSource } from '../../media/probe.js';
import { TooManyReadsError, withRangeServer } from '../../media/rangeServer.js';
import type { MediaRun } from '../../media/runner.js';
import type { WorkerContext } from '../../runtime/workerContext.js';
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
 * its own index says enough, and ffmpeg reads it in its order; else it is fetched. Throws MediaFault where it cannot be processed at all.
 */
export async function withCopyableSource<Result>(
  ctx: WorkerContext,
  { sourceKey: key, sourceBytes: bytes }: Content,
  run: MediaRun,
  work: (copyable: CopyableSource) => Promise<Result>,
): Promise<Result | NotCopied> {
  const { runner, sources } = ctx.media;
  const limits = ctx.config.media;
  const begin = async (source: MediaSource): Promise<Result | NotCopied> => {
    const description = await probe(runner, source, limits, run.signal);
    const refusal = refusalOf(description);
    if (refusal || !description.video) return { refusal: refusal ?? 'noVideo' };
    const streams = { demuxer: description.demuxer, video: description.video, audio: description.audio };
    const table =
      description.demuxer === 'mov' ? await readSampleTable(readerOf(ctx, key, bytes), streams, limits) : null;
    const decide = async (read: MediaSource, index: PacketIndex | NotCopied): Promise<Result | NotCopied> => {
      const copyable = decided(streams, index);
      return 'refusal' in copyable ? copyable : work({ ...copyable, source: read, description, streams });
    };
    if (table && ('refusal' in table || table.isInterleaved)) return decide(source, table);
    return sources.use(key, run.signal, async (path) => {
      const file = fileSource(path);
      return decide(file, table ?? (await readPackets(runner, file, streams, { ...run, ...limits })));
    });
  };
  const path = ctx.storage.localPath(key);
  if (path !== null) return begin(fileSource(path));
  return withRangeServer({ bytes, read: (range) => ctx.storage.read(key, range) }, begin).catch((error: unknown) => {
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

function readerOf({ storage }: WorkerContext, key: string, bytes: number) {
  return {
    bytes,
    async read(start: number, end: number): Promise<Buffer> {
      const data = Buffer.allocUnsafe(end - start);
      let filled = 0;
      for await (const part of await storage.read(key, { start, end: end - 1 }))
        filled += (part as Buffer).copy(data, filled);
      return data.subarray(0, filled);
    },
  };
}
