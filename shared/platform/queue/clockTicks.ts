import type { SqlDatabase } from '../database/sql.js';
import type { Outbox } from './outbox/outbox.js';
import type { Job } from './job.js';

/** A job that a clock enqueues, under the name of its scheduled task. */
export interface TickedJob {
  readonly name: string;
  readonly job: Job;
  readonly payload: object;
}

/**
 * Enqueues the job of a scheduled task, once a minute even if several clocks run: the tick and the job are committed together.
 * False if another clock was first.
 */
export async function enqueueOnce(
  { db, outbox }: { readonly db: SqlDatabase; readonly outbox: Outbox },
  { name, job, payload }: TickedJob,
  minute: Date,
): Promise<boolean> {
  return db.transaction(async (tx) => {
    const inserted = await db.change(
      'INSERT INTO clock_ticks (task, minute) VALUES ($name, $minute) ON CONFLICT DO NOTHING',
      { name, minute },
      tx,
    );
    if (inserted === 0) return false;
    await outbox.add(tx, job, payload);
    return true;
  });
}

/** Removes the ticks of earlier minutes. Resolves with their number. */
export async function deleteTicks({ db }: { readonly db: SqlDatabase }, before: Date): Promise<number> {
  return db.change('DELETE FROM clock_ticks WHERE minute < $before', { before });
}

/** The minute that contains an instant. */
export function minuteOf(instant: Date): Date {
  return new Date(Math.floor(instant.getTime() / 60_000) * 60_000);
}
