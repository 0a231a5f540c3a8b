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

/** An event lasts 24 hours at most; its first and last segments may begin before it and end after it. */
const maxRecordingSeconds = 24 * 3600 + 60;

/** Everything that ingestion has found out and stored; `commitPlan` writes it to the rows. */
export interface Prepared extends SourceFacts {
  readonly chapters: SourceChapters | null;
  readonly plan: ContentPlan;
  /** The plan has one rendition of several, and a full generation follows. */
  readonly quick: boolean;
  /** For that full generation. */
  readonly measured: MeasuredSource | null;
}

/**
 * Plans the newest generation: reads the source, where a quick generation has not done so, and stores what the chunk jobs need: the
 * audio, and a seekable copy where needed. `description`: of the source, where it is known. Throws MediaFault.
 */
export async function prepareSource(
  job: JobRun<unknown>,
  content: Content,
  given: { readonly folder: string; readonly signal: AbortSignal; readonly attemptId: string },
  description?: ProbedSource,
): Promise<Prepared> {
  const { ctx } = job;
  const { media } = ctx.config;
  if (content.sourceBytes === 0) throw new MediaFault('content.failure.empty', 'no bytes');
  return ctx.media.sources.use(content.sourceKey, given.signal, async (path) => {
    const ingest: IngestContext = {
      ctx,
      content,
      limits: content.recorded ? { ...media, maxDurationSeconds: maxOf(media) } : media,
      folder: given.folder,
      storeFolder: `${processingFolder(content, content.generation)}/${given.attemptId}`,
      path,
      isJoined: false,
      run: { signal: given.signal },
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

/** One rendition, soon. */
function quickPlan(measured: MeasuredSource, { grid, renditions, audio }: QuickPlan): Omit<Prepared, 'chapters'> {
  const plan = planOf(measured, grid, { renditions, audio });
  return { ...measured.facts, plan, quick: true, measured };
}

/** All renditions that the film needs. */
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

/** The ladder, with the bit rate that a copied rendition has. */
function withCopied(ladder: readonly PlannedRendition[], copied: PlannedCopy | null): readonly PlannedRendition[] {
  return ladder.map((one) => (one.name === copied?.name ? { ...one, videoBits: copied.videoBits } : one));
}
