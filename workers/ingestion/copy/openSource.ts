import type { Content } from '../../../shared/content/content.model.js';
import { fileSource, type MediaSource } from '../../media/demuxers.js';
import { probe, type SourceDescription } from '../../media/probe.js';
import { withRangeServer } from '../../media/rangeServer.js';
import type { MediaRun } from '../../media/runner.js';
import type { WorkerContext } from '../../runtime/workerContext.js';
import { audioFor, refusalOf, type CopiedAudio } from './copyable.js';
import type { CopyRefusal } from './copyRefusal.js';
import type { PacketIndex } from './packetIndex.js';
import { readPackets, type CopiedStreams } from './readPackets.js';
import { readSampleTable } from './sampleTable.js';

/** A source that can be copied. */
export interface CopyableSource {
  readonly source: MediaSource;
  readonly description: SourceDescription;
  readonly streams: CopiedStreams;
  readonly index: PacketIndex;
  readonly audio: CopiedAudio;
}

type Refused = { readonly refusal: CopyRefusal };

/**
 * Finds out whether a source can be copied, and runs `work` with it where it can. A file of an object store is read in ranges where
 * its own index says enough; else it is fetched. Throws MediaFault where it cannot be processed at all.
 */
export async function withCopyableSource<Result>(
  ctx: WorkerContext,
  { sourceKey: key, sourceBytes: bytes }: Content,
  run: MediaRun,
  work: (copyable: CopyableSource) => Promise<Result>,
): Promise<Result | Refused> {
  const { runner, sources } = ctx.media;
  const begin = async (source: MediaSource): Promise<Result | Refused> => {
    const description = await probe(runner, source, ctx.config.media, run.signal);
    const refusal = refusalOf(description);
    if (refusal || !description.video) return { refusal: refusal ?? 'noVideo' };
    const streams = { demuxer: description.demuxer, video: description.video, audio: description.audio };
    const table = description.demuxer === 'mov' ? await readSampleTable(readerOf(ctx, key, bytes), streams) : null;
    const decide = async (read: MediaSource, index: PacketIndex | Refused): Promise<Result | Refused> => {
      const copyable = decided(ctx, streams, index);
      return 'refusal' in copyable ? copyable : work({ ...copyable, source: read, description, streams });
    };
    if (table) return decide(source, table);
    return sources.use(key, run.signal, async (path) => {
      const file = fileSource(path);
      return decide(file, await readPackets(runner, file, streams, run));
    });
  };
  const path = ctx.storage.localPath(key);
  return path === null ? withRangeServer(ctx, { key, bytes }, begin) : begin(fileSource(path));
}

function decided(
  ctx: WorkerContext,
  { audio }: CopiedStreams,
  index: PacketIndex | Refused,
): Refused | { index: PacketIndex; audio: CopiedAudio } {
  if ('refusal' in index) return index;
  if (index.video.durationSeconds > ctx.config.media.maximumDurationSeconds) return { refusal: 'duration' };
  const heard = audioFor(audio, index);
  return typeof heard === 'string' ? { index, audio: heard } : heard;
}

function readerOf({ storage }: WorkerContext, key: string, bytes: number) {
  return {
    bytes,
    async read(start: number, end: number): Promise<Buffer> {
      const parts: Buffer[] = [];
      for await (const part of await storage.read(key, { start, end: end - 1 })) parts.push(part as Buffer);
      return Buffer.concat(parts);
    },
  };
}
