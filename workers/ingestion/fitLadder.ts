import { mkdir, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { fittedLadder, quickRendition } from '../../shared/content/ladder.js';
import type { MeasuredSource } from '../../shared/content/measuredSource.js';
import type { ContentPlan, PlannedRendition } from '../../shared/content/plan.js';
import { secondsOfFrames } from '../../shared/media/frameRate.js';
import { chunkAt, framesPerKeyframe, segmentStart, type Chunk } from '../../shared/media/grid.js';
import { playingQuick } from './copiedRendition.js';
import { chunkCommand, isMediaFailure } from '../media/index.js';
import type { IngestContext } from './storeMedia.js';

/** A shorter film is small, and sampling would take a large share of its encoding time. */
const shortestSeconds = 60;
const [fewestSamples, maxSamples, secondsPerSample] = [3, 6, 60];
/** A larger rendition replaces a left-out one. At a higher frame rate, 1080p would need a higher level of H.264. */
const maxFramesPerSecond = 30.1;

/** The renditions that a film needs (`fittedLadder`). */
export async function fitLadder(ingest: IngestContext, measured: MeasuredSource): Promise<readonly PlannedRendition[]> {
  const { grid, ladder } = measured;
  const [rate, scale] = grid.frameRate;
  if (ladder.length <= 2 || rate / scale > maxFramesPerSecond) return ladder;
  const bits = (await quickBits(ingest, measured)) ?? (await sampledBits(ingest, measured));
  return bits === null ? ladder : fittedLadder(ladder, quickRendition(ladder), bits);
}

/** Bits per second of the largest segment of the quick generation. Null if it was not encoded. */
async function quickBits({ ctx, content }: IngestContext, { grid }: MeasuredSource): Promise<number | null> {
  const quick = content.measured && content.readyAttempt === null ? await playingQuick(ctx, content) : null;
  if (!quick) return null;
  const largest = quick.chunks.reduce((most, { stored }) => Math.max(most, ...stored.bytes), 0);
  return (largest * 8) / secondsOfFrames(grid.framesPerSegment, grid.frameRate);
}

/**
 * Encodes samples of the film in the lowest planned rendition. Resolves with the bits per second of the largest sample, or null if
 * the film cannot be sampled. Stops at the first sample that shows that all renditions are needed.
 */
async function sampledBits(ingest: IngestContext, measured: MeasuredSource): Promise<number | null> {
  const { grid, ladder, source } = measured;
  const seconds = secondsOfFrames(grid.frameCount, grid.frameRate);
  if (seconds < shortestSeconds || !(source.seekable || source.still)) return null;
  const usual = Math.min(maxSamples, Math.max(fewestSamples, Math.floor(seconds / secondsPerSample)));
  const count = source.still ? 1 : usual;
  const sampled = quickRendition(ladder);
  let most = 0;
  for (let sample = 0; sample < count && fittedLadder(ladder, sampled, most).length < ladder.length; sample += 1) {
    const segment = Math.floor(((sample + 0.5) * grid.segmentCount) / count);
    const bits = await sampleBits(ingest, measured, sampled, segment);
    if (bits === null) return null;
    most = Math.max(most, bits);
  }
  return most;
}

/** Bits per second of a segment's beginning, up to its second keyframe. Null if it cannot be decoded. */
async function sampleBits(
  { ctx, folder, run }: IngestContext,
  { grid, source }: MeasuredSource,
  rendition: PlannedRendition,
  segment: number,
): Promise<number | null> {
  const firstFrame = segmentStart(grid, segment);
  const frameCount = Math.min(framesPerKeyframe(grid.frameRate), grid.frameCount - firstFrame);
  const chunk: Chunk = {
    ...chunkAt(grid, 0),
    position: segment,
    firstFrame,
    frameCount,
    firstSegment: segment,
    segmentCount: 1,
  };
  const plan: ContentPlan = { ...grid, durationMs: 0, renditions: [rendition], source, audio: [] };
  const { encoderPreset: preset, maxPixels } = ctx.config.media;
  const settings = { preset, threads: ctx.config.worker.mediaThreads, maxPixels, isRetry: false };
  const written = join(folder, rendition.name);
  await mkdir(written, { recursive: true });
  try {
    await ctx.media.sources.use(source.key, run.signal, (sourcePath) =>
      ctx.media.runner.convert(chunkCommand({ folder, plan, chunk, sourcePath, settings }), run),
    );
    return ((await segmentBytes(written)) * 8) / secondsOfFrames(frameCount, grid.frameRate);
  } catch (error) {
    if (!isMediaFailure(error)) throw error;
    return null;
  } finally {
    await rm(written, { recursive: true, force: true });
  }
}

async function segmentBytes(folder: string): Promise<number> {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.m4s'));
  const sizes = await Promise.all(names.map(async (name) => (await stat(join(folder, name))).size));
  return sizes.reduce((sum, size) => sum + size, 0);
}
