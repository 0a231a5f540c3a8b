import type { ListedAiring } from '../cast/playout/castPlaylist.js';
import type { AiringSource } from '../cast/playout/airing.js';
import { slateFileIndex } from '../cast/playout/nextSlateSegment.js';
import { cutFilesOf, slateFilesOf } from '../cast/stillFiles.queries.js';
import { segmentFilesOf, type SegmentFile } from '../content/segmentFiles.js';
import type { Context } from '../platform/context.js';
import { nextLower } from '../streaming/listedSegment.js';
import { storedSegment } from '../streaming/liveTimeline.js';
import { liveFileKey } from '../streaming/segment.service.js';

/** The file of a segment of one source in a rendition. */
type FileOf = (index: number, rendition: string) => SegmentFile;

/** The files of segments in a rendition, by their sources. */
export type ListedFiles = (source: AiringSource, index: number, rendition: string) => SegmentFile;

/**
 * Finds the files of everything that a channel lists. The rows are read once by this process, because files never change. Rejects
 * where a file is not stored: files are kept while viewers may have them in a list.
 */
export async function listedFiles(ctx: Context, listed: readonly ListedAiring[]): Promise<ListedFiles> {
  const bySource = new Map<AiringSource, FileOf>();
  await Promise.all(listed.map(async (one) => void bySource.set(one.airing.source, await filesOf(ctx, one))));
  return (source, index, rendition) => {
    const fileOf = bySource.get(source);
    if (!fileOf) throw new Error(`no files of ${JSON.stringify(source)}`);
    return fileOf(index, rendition);
  };
}

async function filesOf(ctx: Context, { airing, first, count }: ListedAiring): Promise<FileOf> {
  const { source } = airing;
  switch (source.kind) {
    case 'CONTENT': {
      const renditions = stored(await segmentFilesOf(ctx, source), source);
      return (index, rendition) => nextLower(renditions, rendition).fileOf(index);
    }
    case 'CUT': {
      const renditions = stored(await cutFilesOf(ctx, source.cutId), source);
      return (index, rendition) => nextLower(renditions, rendition).fileOf(index);
    }
    case 'SLATE': {
      const renditions = stored(await slateFilesOf(ctx, source.slateId), source);
      const { lengthSeconds } = source;
      return (index, rendition) => nextLower(renditions, rendition).fileOf(slateFileIndex(lengthSeconds, index));
    }
    case 'LIVE':
      return liveFilesOf(ctx, source, { first: source.first + first, count });
  }
}

async function liveFilesOf(
  ctx: Context,
  source: Extract<AiringSource, { kind: 'LIVE' }>,
  { first, count }: { readonly first: number; readonly count: number },
): Promise<FileOf> {
  const { sessionId } = source;
  const reads = Array.from({ length: count }, (_, index) => storedSegment(ctx, { sessionId, sequence: first + index }));
  const segments = await Promise.all(reads);
  return (sequence, rendition) => {
    const { folder, renditions } = stored(segments[sequence - first], source);
    const { file, map } = nextLower(renditions, rendition);
    return { key: liveFileKey(folder, file), map: liveFileKey(folder, map) };
  };
}

function stored<Value>(value: Value | null | undefined, source: AiringSource): Value {
  if (value == null) throw new Error(`not stored any more: ${JSON.stringify(source)}`);
  return value;
}
