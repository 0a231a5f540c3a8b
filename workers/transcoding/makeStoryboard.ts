import { open, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { ContentPayload } from '../../shared/content/content.jobs.js';
import type { Content } from '../../shared/content/content.model.js';
import { findContent } from '../../shared/content/content.queries.js';
import { readMediaPlaylist } from '../../shared/content/mediaPlaylist.js';
import { renditionSizes } from '../../shared/content/rendition.service.js';
import {
  contentFolder,
  generationFolder,
  newStoryboardFolder,
  playlistName,
} from '../../shared/content/storageKeys.js';
import { readStoredText } from '../../shared/content/storedMedia.js';
import {
  planStoryboard,
  sheetName,
  sheetSize,
  tilesPerSheet,
  type Storyboard,
} from '../../shared/content/storyboard.js';
import { recordStoryboard } from '../../shared/content/storyboard.service.js';
import { recordStoredBytes } from '../../shared/license/usage.service.js';
import { sheetCommand } from '../media/index.js';
import type { JobRun } from '../runtime/jobTypes.js';
import { withTemporaryFolder } from '../runtime/temporaryFolders.js';
import { KeyframeReader, type TimedSegment } from './keyframeReader.js';

/**
 * `content.storyboard`: creates the seek bar images from keyframes of the lowest rendition that plays. It reads only these
 * keyframes, so its cost hardly depends on the length of the film. Idempotent: the first recorded storyboard stays.
 */
export async function makeStoryboardHandler(run: JobRun<ContentPayload>): Promise<unknown> {
  const { ctx, payload } = run;
  const content = await findContent(ctx, payload.contentId);
  if (content?.state !== 'READY' || content.storyboard !== null || content.hasVideo !== true)
    return { skipped: 'no storyboard to create' };
  const { durationMs, width, height } = content;
  const plan = planStoryboard({ durationMs: durationMs ?? 0, width: width ?? 0, height: height ?? 0 });
  const storyboard: Storyboard = { ...plan, folder: newStoryboardFolder() };
  const folder = `${contentFolder(content)}/${storyboard.folder}`;
  try {
    const bytes = await withTemporaryFolder(ctx.config, (temporary) =>
      storeSheets(run, content, storyboard, { folder, temporary }),
    );
    const isRecorded = await ctx.db.transaction(async (tx) => {
      if (!(await recordStoryboard(ctx, tx, content.id, storyboard, bytes))) return false;
      await recordStoredBytes(ctx, tx, content.ownerId, 'renditions', bytes);
      return true;
    });
    if (isRecorded) return { tiles: storyboard.tileCount, bytes };
    await ctx.storage.removeAll(folder);
    return { skipped: 'another storyboard is recorded, or the content is deleted' };
  } catch (error) {
    await ctx.storage.removeAll(folder);
    throw error;
  }
}

interface SheetFolders {
  /** Storage folder of the storyboard. */
  readonly folder: string;
  readonly temporary: string;
}

/** Resolves with the total size of all sheets in bytes. */
async function storeSheets(
  { ctx, signal, reportProgress }: JobRun<ContentPayload>,
  content: Content,
  { tileCount, tileWidth, tileHeight, intervalSeconds }: Storyboard,
  { folder, temporary }: SheetFolders,
): Promise<number> {
  const generation = generationFolder(content, content.readyGeneration ?? 0);
  const [lowest] = await renditionSizes(ctx, { contentId: content.id, generation: content.readyGeneration ?? 0 });
  const segments = await segmentsOf(ctx, content, generation, lowest?.name ?? '');
  const reader = new KeyframeReader(ctx, generation);
  let bytes = 0;
  for (let first = 0; first < tileCount; first += tilesPerSheet) {
    const count = Math.min(tilesPerSheet, tileCount - first);
    const input = join(temporary, 'keyframes.h264');
    const file = await open(input, 'w');
    try {
      for (let tile = first; tile < first + count; tile += 1) {
        signal.throwIfAborted();
        const seconds = tile * intervalSeconds;
        const segment = segments.findLast(({ startSeconds }) => startSeconds <= seconds) ?? segments[0];
        if (segment) await file.write(await reader.read(segment, seconds));
        reportProgress((100 * tile) / tileCount);
      }
    } finally {
      await file.close();
    }
    const name = sheetName(first / tilesPerSheet);
    const size = { width: lowest?.width ?? 0, height: lowest?.height ?? 0 };
    const command = { folder: temporary, input, output: name, size, tileWidth, tileHeight, ...sheetSize(count) };
    await ctx.media.runner.convert(sheetCommand(command), { signal });
    const path = join(temporary, name);
    bytes += (await stat(path)).size;
    await ctx.storage.putFile(`${folder}/${name}`, path, { contentType: 'image/jpeg', signal });
  }
  return bytes;
}

/** The segments of a rendition, in order. */
async function segmentsOf(
  ctx: JobRun<ContentPayload>['ctx'],
  { readyAttempt }: Content,
  folder: string,
  rendition: string,
): Promise<TimedSegment[]> {
  const name = playlistName(rendition, { state: 'complete', attempt: readyAttempt });
  let startSeconds = 0;
  return readMediaPlaylist(await readStoredText(ctx, `${folder}/${name}`)).map((segment) => {
    startSeconds += segment.durationSeconds;
    return { ...segment, startSeconds: startSeconds - segment.durationSeconds };
  });
}
