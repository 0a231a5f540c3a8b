import { setTimeout as sleep } from 'node:timers/promises';
import type { Counter } from 'prom-client';
import type { Logger } from '../log.js';
import { conflictOf, type Conflict } from './databaseErrors.js';

/*
 * PostgreSQL rolls a transaction back because of a deadlock or a serialization failure. None of its changes remain, so it is
 * retried, and only here. Each conflict is logged and counted: a frequent conflict means that two places in the code lock the
 * same rows in different orders.
 */

export const conflictAttempts = 4;
/** The pause before the next attempt is random, so that the same transactions do not conflict again. */
const maxPauseMs = 60;

export type OnConflict = (conflict: Conflict & { readonly attempt: number }) => void;

/** Runs work that is one transaction. After the last attempt it rejects with the error of the work. */
export async function retryConflicts<Result>(work: () => Promise<Result>, onConflict: OnConflict): Promise<Result> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work();
    } catch (error) {
      const conflict = conflictOf(error);
      if (conflict === null) throw error;
      onConflict({ ...conflict, attempt });
      if (attempt === conflictAttempts) throw error;
      await sleep(Math.random() * maxPauseMs * attempt);
    }
  }
}

/** Logs each conflict, and counts it by code if the process has metrics. */
export function reportConflicts(log: Logger, conflicts?: Pick<Counter<'code'>, 'inc'>): OnConflict {
  return (conflict) => {
    conflicts?.inc({ code: conflict.code });
    log.warn(conflict, 'transaction rolled back: deadlock or serialization failure');
  };
}
