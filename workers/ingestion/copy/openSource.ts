import { isDeepStrictEqual } from 'node:util';
import type { Content } from '../../../shared/content/content.model.js';
import {
  fileSource,
  probe,
  TooManyReadsError,
  withRangeServer,
  type MediaSource,
  type ProbedSource,
  type RangedFile,
  type MediaRun,
} from '../../media/index.js';
import type { WorkerContext } from '../../runtime/workerContext.js';
import type { ByteRange } from '../../../shared/platform/storage/storage.js';
import type { ArrivingFile } from '../arrivingFile.js';
import { rangeReaderOf } from '../rangeReader.js';
import { audioFor, refusalOf, startsAsCopied, type CopiedAudio } from './copyable.js';
import { CopyError, type NotCopied } from './copyRefusal.js';
import type { PacketIndex } from './packetIndex.js';
import { followPackets, readPackets, type CopiedStreams, type PartialIndex } from './readPackets.js';
import { readSampleTable } from './sampleTable.js';

/** A source that can be copied. */
export interface CopyableSource {
  readonly source: MediaSource;
  readonly description: ProbedSource;
  readonly streams: CopiedStreams;
  readonly index: PacketIndex;
  readonly audio: CopiedAudio;
  /** Present if the source is being uploaded and has no index of its own: `index` grows. */
  readonly partial?: PartialSource;
}

/** A source that is indexed during its upload. */
export interface PartialSource extends PartialIndex {
  /** Waits for the complete source, and runs `work` with it, which may seek. Throws CopyError if the source cannot be copied. */
  withComplete<Result>(work: (source: MediaSource) => Promise<Result>): Promise<Result>;
}

/**
 * Runs `work` with a source if it can be copied. A file of an object store is read in ranges if its own index suffices and ffmpeg
 * reads it sequentially; otherwise it is downloaded first. A source that is being uploaded is either read in ranges or not copied.
 * Throws MediaFault if the source cannot be processed.
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
    if (refusal || !description.video) return { refusal: refusal ?? 'noVideo', ...(arriving ? {} : { description }) };
    const { demuxer, video, audio, streamCount } = description;
    const streams = { demuxer, video, audio, streamCount };
    const table =
      description.demuxer === 'mov'
        ? await readSampleTable(rangeReaderOf(file), streams, limits, { isArriving: arriving !== undefined })
        : null;
    const decide = async (read: MediaSource, index: PacketIndex | NotCopied): Promise<Result | NotCopied> => {
      const copyable = decided(streams, index);
      return 'refusal' in copyable ? copyable : work({ ...copyable, source: read, description, streams });
    };
    if (table && ('refusal' in table || table.isInterleaved)) return decide(source, table);
    // ffmpeg would not read it sequentially.
    if (table && arriving) return { refusal: 'container' };
    if (arriving) return follow({ ctx, key, source, description, streams, arriving, run, work });
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

interface Following<Result> {
  readonly ctx: WorkerContext;
  /** Storage key of the complete file. */
  readonly key: string;
  readonly source: MediaSource;
  readonly description: ProbedSource;
  readonly streams: CopiedStreams;
  readonly arriving: ArrivingFile;
  readonly run: MediaRun;
  readonly work: (copyable: CopyableSource) => Promise<Result>;
}

/**
 * Runs `work` while the packets of the source are indexed. Checks at the end that the complete source has the same description and
 * leads to the same copy.
 */
async function follow<Result>({
  ctx,
  key,
  source,
  description,
  streams,
  arriving,
  run,
  work,
}: Following<Result>): Promise<Result | NotCopied> {
  const { runner } = ctx.media;
  const limits = ctx.config.media;
  const over = new AbortController();
  try {
    const reading = { ...run, ...limits, signal: AbortSignal.any([run.signal, over.signal]) };
    const partial = await followPackets(runner, source, streams, reading);
    if ('refusal' in partial) return partial;
    if (!startsAsCopied(streams.audio, partial.soFar)) return { refusal: 'audioEnd' };
    const withComplete: PartialSource['withComplete'] = async (use) => {
      const ended = await partial.complete;
      if ('refusal' in ended) throw new CopyError(`${ended.refusal}, found while the source arrived`);
      const bytes = await arriving.untilComplete();
      const path = ctx.storage.localPath(key);
      if (path !== null) return use(fileSource(path));
      return withRangeServer({ bytes, read: (range) => ctx.storage.read(key, range) }, use);
    };
    const followed = { ...partial, withComplete };
    const result = await work({
      source,
      description,
      streams,
      index: partial.soFar,
      audio: 'copied',
      partial: followed,
    });
    const copyable = decided(streams, await partial.complete);
    if ('refusal' in copyable) return copyable;
    const complete = await withComplete((found) => probe(runner, found, limits, run.signal));
    return copyable.audio === 'copied' && isSameSource(complete, description) ? result : { refusal: 'container' };
  } finally {
    over.abort(new Error('the index is no longer needed'));
  }
}

function isSameSource(
  { declaredEnds: _one, ...one }: ProbedSource,
  { declaredEnds: _other, ...other }: ProbedSource,
): boolean {
  return isDeepStrictEqual(one, other);
}

function decided(
  streams: CopiedStreams,
  index: PacketIndex | NotCopied,
): NotCopied | { index: PacketIndex; audio: CopiedAudio } {
  if ('refusal' in index) return index;
  const copied = audioFor(streams, index);
  return typeof copied === 'string' ? { index, audio: copied } : copied;
}
