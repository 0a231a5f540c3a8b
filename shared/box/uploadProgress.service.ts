import type { Context } from '../platform/context.js';
import { NotFoundError } from '../platform/errors.js';

/** At most two rows a second for one upload. */
const gapMilliseconds = 500;
/** A row nobody has touched for an hour tells nobody anything. */
const keptMilliseconds = 60 * 60_000;

/**
 * How far an upload has come, for whoever asks at any web process (`docs/contract.md#choices-box`): a row of the user's own, written
 * at most twice a second. It is decoration: what cannot be written is left out, the upload goes on.
 */
export class UploadProgress {
  readonly #ctx: Context;
  readonly #userId: string;
  readonly #progressId: string | null;
  #writing: Promise<void> = Promise.resolve();
  #isWriting = false;
  #nextAt = 0;

  constructor(ctx: Context, userId: string, progressId: string | null) {
    this.#ctx = ctx;
    this.#userId = userId;
    this.#progressId = progressId;
  }

  /** Tells of progress, if it is time to. */
  report(percent: number): void {
    const now = this.#ctx.clock.now().getTime();
    if (this.#isWriting || now < this.#nextAt) return;
    this.#nextAt = now + gapMilliseconds;
    this.#isWriting = true;
    this.#writing = this.write(percent).finally(() => (this.#isWriting = false));
  }

  /** Tells the last there is to tell. */
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
      .catch((error: unknown) => this.#ctx.log.warn({ err: error }, 'the progress of an upload was not written'));
  }

  /** The upload came to nothing. */
  async forget(): Promise<void> {
    if (this.#progressId === null) return;
    await this.#writing;
    await this.#ctx.db.change('DELETE FROM upload_progress WHERE user_id = $userId AND progress_id = $progressId', {
      userId: this.#userId,
      progressId: this.#progressId,
    });
  }
}

/** 0..100 of a user's own upload. Throws NotFoundError for an id under which the user is uploading nothing. */
export async function uploadProgress(ctx: Context, userId: string, progressId: string): Promise<number> {
  const [row] = await ctx.db.rows<{ percent: number }>(
    'SELECT percent FROM upload_progress WHERE user_id = $userId AND progress_id = $progressId',
    { userId, progressId },
  );
  if (!row) throw new NotFoundError();
  return row.percent;
}

export async function sweepProgress(ctx: Context): Promise<void> {
  const before = new Date(ctx.clock.now().getTime() - keptMilliseconds);
  await ctx.db.change('DELETE FROM upload_progress WHERE updated_at < $before', { before });
}
