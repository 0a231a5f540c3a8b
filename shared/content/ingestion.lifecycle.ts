import type { Context } from '../platform/context.js';
import type { Transaction } from '../platform/database/database.js';
import { followContent, ingestContent, ingestFully } from './content.jobs.js';
import { Content, type ContentArrival } from './content.model.js';
import { ingestionPriority } from './chunkPriority.js';
import { lease, leaseSeconds, type Claim } from '../platform/lease/index.js';
import type { MeasuredSource, SourceFacts } from './measuredSource.js';
import type { ContentPlan } from './plan.js';
import type { SourceChapters } from './chapters.js';
import { isProcessing, processing } from './processing.js';

/*
 * The ingestion lease of a content's newest generation, until its plan is written. Each transition is a conditional
 * update. No changed row means that another worker was first, or that the generation is no longer processed.
 * Diagram: docs/architecture.md#content-states.
 */

const batchSize = 500;

/**
 * Takes the lease, unless another worker holds it. `arrival`: the required arrival state; null requires a complete source.
 */
export async function claimIngestion(
  ctx: Context,
  contentId: string,
  leaseOwner: string,
  arrival: ContentArrival | null = null,
): Promise<Claim<Content>> {
  const changed = await ctx.db.change(
    `UPDATE contents
        SET ${lease.taken}, attempt = attempt + 1, progress = 0, updated_at = $now
      WHERE id = $contentId AND plan IS NULL AND arrival IS NOT DISTINCT FROM $arrival AND ${processing()} AND ${lease.free}`,
    { contentId, leaseOwner, arrival, leaseSeconds: leaseSeconds(ctx), now: ctx.clock.now() },
  );
  const content = await ctx.db.model(Content).findByPk(contentId);
  if (changed > 0 && content?.leaseOwner === leaseOwner) return { outcome: 'claimed', work: content };
  const isTaken =
    content && content.plan === null && content.arrival === arrival && isProcessing(content) && content.leaseUntil;
  return isTaken ? { outcome: 'heldElsewhere', until: isTaken } : { outcome: 'nothing' };
}

/**
 * Renews the lease and writes the progress, 0..1. Returns false if the lease has been lost, or the generation is no longer
 * processed.
 */
export async function renewIngestion(
  ctx: Context,
  contentId: string,
  leaseOwner: string,
  progress = 0,
): Promise<boolean> {
  const changed = await ctx.db.change(
    `UPDATE contents SET ${lease.renewed}, progress = $progress
      WHERE id = $contentId AND ${lease.held} AND ${processing()}`,
    { contentId, leaseOwner, progress, leaseSeconds: leaseSeconds(ctx) },
  );
  return changed > 0;
}

/** The results of ingestion. */
export interface IngestedSource extends Omit<SourceFacts, 'thumbnail' | 'mayHaveCaptions' | 'mediaSeconds'> {
  /** Null: the generation is not encoded. */
  readonly plan: ContentPlan | null;
  readonly durationMs: number;
  /** Null: the content already has chapters, or its owner has removed them all. */
  readonly chapters: SourceChapters | null;
  readonly thumbnail: { readonly id: string; readonly sizeBytes: number };
  /** Stored for the full generation that follows. */
  readonly measured?: MeasuredSource | null;
  /** Whether a full generation follows. False: the planned renditions are all renditions of the content. */
  readonly quick: boolean;
}

/**
 * Writes the results of ingestion and releases the lease, in the transaction that plans or completes the generation. Returns
 * false if the lease has been lost.
 */
export async function endIngestion(
  ctx: Context,
  tx: Transaction,
  { id, generation }: Content,
  leaseOwner: string,
  { plan, measured, thumbnail, ...source }: IngestedSource,
): Promise<boolean> {
  const changed = await ctx.db.change(
    `UPDATE contents
        SET plan = $plan::jsonb, measured = $measured::jsonb, duration_ms = $durationMs, width = $width, height = $height, has_video = $hasVideo,
            has_audio = $hasAudio, audio_tracks = coalesce(audio_tracks, $audioTracks::jsonb), missing_end_seconds = $missingEndSeconds,
            left_out_audio = $leftOutAudio::jsonb,
            chapters = coalesce(chapters, $chapters::jsonb),
            left_out_chapters = CASE WHEN chapters IS NULL THEN $leftOutChapters::integer ELSE left_out_chapters END, thumbnail_id = $thumbnailId, thumbnail_bytes = $thumbnailBytes, quick = $quick, media_counted = true,
            ${lease.released}, failure_detail = NULL, updated_at = $now
      WHERE id = $id AND generation = $generation AND ${lease.held} AND plan IS NULL AND ${processing()}`,
    {
      id,
      generation,
      leaseOwner,
      plan: plan && JSON.stringify(plan),
      measured: measured ? JSON.stringify(measured) : null,
      thumbnailId: thumbnail.id,
      thumbnailBytes: thumbnail.sizeBytes,
      durationMs: source.durationMs,
      width: source.width,
      height: source.height,
      hasVideo: source.hasVideo,
      hasAudio: source.hasAudio,
      audioTracks: JSON.stringify(source.audioTracks),
      missingEndSeconds: source.missingEndSeconds,
      chapters: source.chapters?.chapters.length ? JSON.stringify(source.chapters.chapters) : null,
      leftOutChapters: source.chapters?.leftOut ?? 0,
      leftOutAudio: source.leftOutAudio?.length ? JSON.stringify(source.leftOutAudio) : null,
      quick: source.quick,
      now: ctx.clock.now(),
    },
    tx,
  );
  return changed > 0;
}

/**
 * Releases the lease of a failed attempt, so that the next attempt can start at once. `detail` is for operators. `returned`: the
 * attempt does not count.
 */
export async function releaseIngestion(
  ctx: Context,
  contentId: string,
  leaseOwner: string,
  { detail, returned }: { readonly detail: string; readonly returned: boolean },
): Promise<void> {
  await ctx.db.change(
    `UPDATE contents SET ${lease.released}, failure_detail = $detail, returns = returns + $returned::boolean::integer,
            updated_at = $now
      WHERE id = $contentId AND ${lease.held} AND plan IS NULL`,
    { contentId, leaseOwner, detail, returned, now: ctx.clock.now() },
  );
}

/**
 * Postpones processing until the source is complete, and releases the lease. The attempt does not count. `detail` is for
 * operators.
 */
export async function awaitArrival(ctx: Context, contentId: string, leaseOwner: string, detail: string): Promise<void> {
  await ctx.db.change(
    `UPDATE contents
        SET arrival = CASE WHEN arrival IS NOT NULL THEN 'AWAITED' END, growing = false, progress = 0, ${lease.released},
            failure_detail = $detail, returns = returns + 1, updated_at = $now
      WHERE id = $contentId AND ${lease.held} AND plan IS NULL`,
    { contentId, leaseOwner, detail, now: ctx.clock.now() },
  );
}

/** Stores the now known size of an arriving source and starts to follow it. Does nothing if it was followed before. */
export async function followArrival(
  ctx: Context,
  tx: Transaction,
  { id, sourceName, sourceBytes }: Pick<Content, 'id' | 'sourceName' | 'sourceBytes'>,
): Promise<void> {
  const changed = await ctx.db.change(
    `UPDATE contents SET arrival = 'FOLLOWED', source_name = $sourceName, source_bytes = $sourceBytes, updated_at = $now
      WHERE id = $id AND arrival = 'AWAITED' AND attempt = 0 AND quick AND ${processing()}`,
    { id, sourceName, sourceBytes, now: ctx.clock.now() },
    tx,
  );
  if (changed > 0) await queueFollowing(ctx, tx, id);
}

/** Enqueues the job of a followed source again after more of it has arrived, unless a worker holds the lease. */
export async function requeueArrival(ctx: Context, tx: Transaction, contentId: string): Promise<void> {
  const [row] = await ctx.db.rows<{ id: string }>(
    `UPDATE contents SET updated_at = $now, failure_detail = NULL
      WHERE id = $contentId AND arrival = 'FOLLOWED' AND plan IS NULL AND ${processing()} AND ${lease.free} RETURNING id`,
    { contentId, now: ctx.clock.now() },
    tx,
  );
  if (row) await queueFollowing(ctx, tx, contentId);
}

/** Enqueues with the priority of a new content, after the first contents of other owners. */
async function queueFollowing(ctx: Context, tx: Transaction, contentId: string): Promise<void> {
  const { ownerId } = await ctx.db.model(Content).findByPk(contentId, {
    ...{ attributes: ['ownerId'], transaction: tx, rejectOnEmpty: true },
  });
  const priority = await ingestionPriority(ctx, tx, ownerId);
  await ctx.outbox.add(tx, followContent, { contentId }, { priority });
}

/**
 * Competing followed sources: whether a source of another owner waits for a worker, how many other sources of the same owner have a
 * worker, and how many of these began to arrive later.
 */
export async function competingSources(
  ctx: Context,
  { id, ownerId, createdAt }: Content,
): Promise<{ readonly othersWait: boolean; readonly ownRunning: number; readonly ownNewer: number }> {
  const followed = `arrival = 'FOLLOWED' AND plan IS NULL AND ${processing()}`;
  const own = `${followed} AND owner_id = $ownerId AND ${lease.running} AND id <> $id`;
  const [row] = await ctx.db.rows<{ othersWait: boolean; ownRunning: number; ownNewer: number }>(
    // A job that is just being published is not waiting yet.
    `SELECT EXISTS (SELECT FROM contents
                     WHERE ${followed} AND owner_id <> $ownerId AND ${lease.free} AND failure_detail IS NULL
                       AND updated_at < now() - interval '2 seconds') AS others_wait,
            (SELECT count(*) FROM contents WHERE ${own})::int AS own_running,
            (SELECT count(*) FROM contents WHERE ${own} AND (created_at, id) > ($createdAt, $id))::int AS own_newer`,
    { id, ownerId, createdAt },
  );
  return row ?? { othersWait: false, ownRunning: 0, ownNewer: 0 };
}

/**
 * Enqueues contents again that have no plan and no running worker: the lease has expired, or the row has not changed since
 * `before`. Resolves with their number.
 */
export async function requeueIngestions(ctx: Context, before: Date): Promise<number> {
  return ctx.db.transaction(async (tx) => {
    const rows = await ctx.db.rows<{
      id: string;
      ownerId: string;
      generation: number;
      arrival: ContentArrival | null;
    }>(
      `UPDATE contents SET updated_at = $now, ${lease.released}
        WHERE id IN (SELECT id FROM contents
                      WHERE plan IS NULL AND ${processing()}
                        AND (${lease.ended} OR (lease_until IS NULL AND arrival IS NULL AND updated_at < $before))
                      ORDER BY updated_at LIMIT $batchSize FOR UPDATE SKIP LOCKED)
        RETURNING id, owner_id, generation, arrival`,
      { now: ctx.clock.now(), before, batchSize },
      tx,
    );
    const jobsOf = (ofKind: typeof rows) =>
      ofKind.map(({ id, ownerId }, index) => {
        // Like `ingestionPriority`: each owner's first content runs before the further contents of any owner.
        const priority = 1 + ofKind.slice(0, index).filter((row) => row.ownerId === ownerId).length;
        return { payload: { contentId: id }, options: { priority } };
      });
    const complete = rows.filter(({ arrival }) => arrival === null);
    await ctx.outbox.addMany(tx, followContent, jobsOf(rows.filter(({ arrival }) => arrival === 'FOLLOWED')));
    await ctx.outbox.addMany(tx, ingestContent, jobsOf(complete.filter(({ generation }) => generation === 1)));
    await ctx.outbox.addMany(tx, ingestFully, jobsOf(complete.filter(({ generation }) => generation > 1)));
    return rows.length;
  });
}
