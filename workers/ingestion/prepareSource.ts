import type { SourceChapters } from '../../shared/content/chapters.js';
import type { Content } from '../../shared/content/content.model.js';
import type { MeasuredSource, SourceFacts } from '../../shared/content/measuredSource.js';
import type { ContentPlan, PlannedAudio, PlannedCopy, PlannedRendition } from '../../shared/content/plan.js';
import { processingFolder } from '../../shared/content/storageKeys.js';
import { secondsOfFrames } from '../../shared/media/frameRate.js';
import type { Grid } from '../../shared/media/grid.js';
import { fileSource, MediaFault, type ProbedSource } from '../media/index.js';
import { readSourceChapters } from './sourceChapters.js';
import type { JobRun } from '../runtime/jobTypes.js';
import { copiedRendition } from './copiedRendition.js';
import { measureSource, type QuickPlan } from './measureSource.js';
import { fitLadder } from './fitLadder.js';
import { audioOn, encodeAudioTracks, leftOutTracks, storeAudioTracks } from './audioSources.js';
import type { IngestContext } from './storeMedia.js';

/** An event lasts at most 24 hours; its first and last segments may exceed its times. */
const maxRecordingSeconds = 24 * 3600 + 60;

/** The results of ingestion; `commitPlan` writes them to the rows. */
export interface Prepared extends SourceFacts {
  readonly chapters: SourceChapters | null;
  readonly plan: ContentPlan;
  /** The plan has one rendition of several, and a full generation follows. */
  readonly quick: boolean;
  /** The measurements for that full generation. */
  readonly measured: MeasuredSource | null;
}

/**
 * Plans the newest generation: measures the source, unless a quick generation has done so, and stores the input of the chunk jobs,
 * which is the audio and, if needed, a seekable copy. `description`: that of the source, if known. Throws MediaFault.
 */
export async function prepareSource(
  job: JobRun<unknown>,
  content: Content,
  attempt: { readonly folder: string; readonly signal: AbortSignal; readonly attemptId: string },
  description?: ProbedSource,
): Promise<Prepared> {
  const { ctx } = job;
  const { media } = ctx.config;
  if (content.sourceBytes === 0) throw new MediaFault('content.failure.empty', 'no bytes');
  return ctx.media.sources.use(content.sourceKey, attempt.signal, async (path) => {
    const ingest: IngestContext = {
      ctx,
      content,
      limits: content.recorded ? { ...media, maxDurationSeconds: maxOf(media) } : media,
      folder: attempt.folder,
      storeFolder: `${processingFolder(content, content.generation)}/${attempt.attemptId}`,
      path,
      isJoined: false,
      run: { signal: attempt.signal },
    };
    const { quick, ...measured } = content.measured
      ? { ...(await withOtherAudio(ingest, content.measured)), quick: null }
      : await measureSource(ingest, description);
    job.reportProgress(50);
    const prepared = quick ? quickPlan(measured, quick) : await fullPlan(ingest, measured);
    const chapters = content.chapters === null ? await chaptersIn(ingest, measured) : null;
    job.reportProgress(100);
    return { ...prepared, chapters };
  });
}

function chaptersIn({ ctx, path, run }: IngestContext, { grid, otherAudio }: MeasuredSource): Promise<SourceChapters> {
  const { demuxer, originSeconds: startSeconds } = otherAudio;
  const durationSeconds = secondsOfFrames(grid.frameCount, grid.frameRate);
  return readSourceChapters(ctx.media.runner, fileSource(path), { demuxer, startSeconds, durationSeconds }, run);
}

function maxOf({ maxDurationSeconds }: IngestContext['limits']): number {
  return Math.max(maxDurationSeconds, maxRecordingSeconds);
}

/** Encodes the audio that the quick generation has left out. */
async function withOtherAudio(ingest: IngestContext, measured: MeasuredSource): Promise<MeasuredSource> {
  const { facts, grid, audio, otherAudio } = measured;
  const { sounds, ...opening } = otherAudio;
  const encoded = await encodeAudioTracks(ingest, { ...opening, hasVideo: facts.hasVideo }, sounds);
  const leftOut = [...(facts.leftOutAudio ?? []), ...leftOutTracks(sounds, encoded, facts.audioTracks)];
  const known = { ...measured, facts: { ...facts, leftOutAudio: leftOut } };
  if (encoded.length === 0) return known;
  const stored = await storeAudioTracks(ingest, [grid], encoded, facts.audioTracks);
  return { ...known, audio: [...audio, ...audioOn(grid, stored)] };
}

/** The plan of a quick generation: one rendition. */
function quickPlan(measured: MeasuredSource, { grid, renditions, audio }: QuickPlan): Omit<Prepared, 'chapters'> {
  const plan = planOf(measured, grid, { renditions, audio });
  return { ...measured.facts, plan, quick: true, measured };
}

/** The plan of a full generation: all renditions that the film needs. */
async function fullPlan(ingest: IngestContext, measured: MeasuredSource): Promise<Omit<Prepared, 'chapters'>> {
  const { ctx, content, run } = ingest;
  const { facts, grid, audio } = measured;
  const ladder = await fitLadder(ingest, measured);
  const copied = await copiedRendition(ctx, content, { ...grid, ladder }, run.signal);
  const plan = planOf(measured, grid, { renditions: withCopied(ladder, copied), audio });
  return { ...facts, plan: { ...plan, ...(copied ? { copied } : {}) }, quick: false, measured: null };
}

function planOf(
  { source }: MeasuredSource,
  grid: Grid,
  made: { readonly renditions: readonly PlannedRendition[]; readonly audio: readonly PlannedAudio[] },
): ContentPlan {
  const durationMs = Math.round(secondsOfFrames(grid.frameCount, grid.frameRate) * 1000);
  return { ...grid, durationMs, source, ...made };
}

/** The ladder, with the actual bit rate of a copied rendition. */
function withCopied(ladder: readonly PlannedRendition[], copied: PlannedCopy | null): readonly PlannedRendition[] {
  return ladder.map((one) => (one.name === copied?.name ? { ...one, videoBits: copied.videoBits } : one));
}
