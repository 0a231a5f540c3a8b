import type { Context } from '../platform/context.js';
import { deleteInBatches } from '../platform/database/deleteInBatches.js';
import { NotFoundError } from '../platform/errors.js';
import { UploadProgressRecord } from './upload.model.js';

/** Minimum time between two writes for one upload. */
const minIntervalMilliseconds = 500;
/** Rows that were not updated for this long are deleted. */
const retentionMilliseconds = 60 * 60_000;

/**
 * Progress of an upload, in a row that every web process can read (`docs/contract.md#choices-box`). It is written at most twice a
 * second. A failed write is logged, and the upload continues.
 */
export class UploadProgress {
  readonly #ctx: Context;
  readonly #userId: string;
  readonly #progressId: string | null;
  #writing: Promise<void> = Promise.resolve();
  #isWriting = false;
  #nextAt = 0;

  constructor(ctx: Context, { userId, progressId }: { readonly userId: string; readonly progressId: string | null }) {
    this.#ctx = ctx;
    this.#userId = userId;
    this.#progressId = progressId;
  }

  /** Writes the progress, unless it was written in the last half second. Does not wait. */
  report(percent: number): void {
    const now = this.#ctx.clock.now().getTime();
    if (this.#isWriting || now < this.#nextAt) return;
    this.#nextAt = now + minIntervalMilliseconds;
    this.#isWriting = true;
    this.#writing = this.write(percent).finally(() => (this.#isWriting = false));
  }

  /** Writes the final progress, after a write that is still running. */
  async finish(percent: number): Promise<void> {
    await this.#writing;
    await this.write(percent);
  }

  async write(percent: number): Promise<void> {
    if (this.#progressId === null) return;
    await this.#ctx.db
      .change(
        `INSERT INTO upload_progress (user_id, progress_id, percent, updated_at) VALUES ($userId, $progressId, $percent, $now)
         ON CONFLICT (user_id, progress_id) DO UPDATE SET percent = excluded.percent, updated_at = excluded.updated_at`,
        {
          userId: this.#userId,
          progressId: this.#progressId,
          percent: Math.floor(percent),
          now: this.#ctx.clock.now(),
        },
      )
      .catch((error: unknown) => this.#ctx.log.warn({ err: error }, 'writing upload progress failed'));
  }

  /** Deletes the row: the upload has failed. */
  async forget(): Promise<void> {
    if (this.#progressId === null) return;
    await this.#writing;
    const where = { userId: this.#userId, progressId: this.#progressId };
    await this.#ctx.db.model(UploadProgressRecord).destroy({ where });
  }
}

/** Progress, 0..100, of an upload of this user. Throws NotFoundError for an unknown id. */
export async function uploadProgress(ctx: Context, userId: string, progressId: string): Promise<number> {
  const row = await ctx.db
    .model(UploadProgressRecord)
    .findOne({ where: { userId, progressId }, attributes: ['percent'] });
  if (!row) throw new NotFoundError();
  return row.percent;
}

/** Deletes rows that were not updated for `retentionMilliseconds`. */
export async function sweepProgress(ctx: Context, signal: AbortSignal): Promise<void> {
  const before = new Date(ctx.clock.now().getTime() - retentionMilliseconds);
  await deleteInBatches(
    ctx,
    `DELETE FROM upload_progress WHERE (user_id, progress_id) IN
       (SELECT user_id, progress_id FROM upload_progress WHERE updated_at < $before LIMIT $batchRows)`,
    { before },
    signal,
  );
}
