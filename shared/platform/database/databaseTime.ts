import { performance } from 'node:perf_hooks';
import type { TimeReader, DatabaseTime, Transaction } from './database.js';
import type { Clock } from '../systemClock.js';

const measureEveryMs = 30_000;
/** A slower measurement is too imprecise and is discarded. */
const maxMeasureMs = 500;

/**
 * The time is measured periodically. Between two measurements, and while the database is unreachable, it follows the monotonic
 * clock of the process, which changes of the machine's time do not affect.
 */
export class DatabaseClock implements DatabaseTime {
  /** Microseconds to add to the monotonic clock. Null: not measured yet. */
  #offset: number | null = null;
  #measuredAt = Number.NEGATIVE_INFINITY;
  #measuring: Promise<void> | null = null;
  #latest = 0;

  now(reader: TimeReader, tx?: Transaction): number | Promise<number> {
    const isOld = performance.now() - this.#measuredAt > measureEveryMs;
    if (this.#offset === null)
      return (tx ? this.#read(reader, tx) : this.#measure(reader)).then(() => this.now(reader, tx));
    if (isOld) this.#measure(reader).catch((err: unknown) => reader.log.warn({ err }, 'database time not read'));
    this.#latest = Math.max(this.#latest, Math.round(performance.now() * 1000 + this.#offset));
    return this.#latest;
  }

  #measure(reader: TimeReader): Promise<void> {
    this.#measuring ??= this.#read(reader).finally(() => {
      this.#measuring = null;
    });
    return this.#measuring;
  }

  async #read({ db }: TimeReader, tx?: Transaction): Promise<void> {
    // Also set if the read fails: the next attempt follows after the same interval.
    if (this.#offset !== null) this.#measuredAt = performance.now();
    const before = performance.now();
    const [row] = await db.rows<{ time: number }>(
      'SELECT round(extract(epoch FROM clock_timestamp()) * 1000000)::bigint AS time',
      {},
      tx,
    );
    const after = performance.now();
    if (!row || (this.#offset !== null && after - before > maxMeasureMs)) return;
    this.#offset = row.time - ((before + after) / 2) * 1000;
    this.#measuredAt = after;
  }
}

/** For tests: the time of a mock clock. */
export function databaseTimeOf(clock: Clock): DatabaseTime {
  return { now: () => clock.now().getTime() * 1000 };
}

type TimedContext = TimeReader & { readonly databaseTime: DatabaseTime };

/** The current time of the database. Rejects if it was never read and the database is unreachable. */
export async function databaseNow(ctx: TimedContext, tx?: Transaction): Promise<Date> {
  return new Date((await ctx.databaseTime.now(ctx, tx)) / 1000);
}

/** Converts a past moment of this machine's clock to the time of the database. */
export async function databaseTimeOfPast(ctx: TimedContext & { readonly clock: Clock }, moment: Date): Promise<Date> {
  const ageMs = Math.max(0, ctx.clock.now().getTime() - moment.getTime());
  return new Date((await databaseNow(ctx)).getTime() - ageMs);
}

/**
 * Resolves with a function that returns the current time of the database synchronously, in milliseconds since 1970. Rejects if
 * the time was never read and the database is unreachable.
 */
export async function databaseTimer(ctx: TimedContext): Promise<() => number> {
  let latest = await ctx.databaseTime.now(ctx);
  return () => {
    const now = ctx.databaseTime.now(ctx);
    if (typeof now === 'number') latest = now;
    return latest / 1000;
  };
}
