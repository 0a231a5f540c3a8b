import { performance } from 'node:perf_hooks';
import type { Clock } from '../platform/clock.js';
import type { Context } from '../platform/context.js';

/** The time by which all processes decide and show what channels play. */
export interface ChannelClock {
  /** Microseconds since 1970. Never less than what it has returned before. */
  now(ctx: Context): number | Promise<number>;
}

declare module '../platform/context.js' {
  interface Context {
    readonly channelClock: ChannelClock;
  }
}

const measureEveryMs = 30_000;
/** A measurement that took longer says too little. */
const longestMeasureMs = 500;

/**
 * The time of the database, so that machines whose clocks differ show the same. It is measured now and then; between two
 * measurements it runs by the monotonic clock of the process, which no change of the machine's time moves. While the
 * database is away it goes on.
 */
export class DatabaseClock implements ChannelClock {
  /** Microseconds to add to the monotonic clock. Null: not measured yet. */
  #offset: number | null = null;
  #measuredAt = Number.NEGATIVE_INFINITY;
  #measuring: Promise<void> | null = null;
  #latest = 0;

  now(ctx: Context): number | Promise<number> {
    const isOld = performance.now() - this.#measuredAt > measureEveryMs;
    if (this.#offset === null) return this.#measure(ctx).then(() => this.now(ctx));
    if (isOld) this.#measure(ctx).catch((error: unknown) => ctx.log.warn({ err: error }, 'database time not read'));
    this.#latest = Math.max(this.#latest, Math.round(performance.now() * 1000 + this.#offset));
    return this.#latest;
  }

  #measure(ctx: Context): Promise<void> {
    this.#measuring ??= this.#read(ctx).finally(() => {
      this.#measuring = null;
    });
    return this.#measuring;
  }

  async #read(ctx: Context): Promise<void> {
    // Also where it fails: it is tried again after the same time.
    if (this.#offset !== null) this.#measuredAt = performance.now();
    const before = performance.now();
    const [row] = await ctx.db.rows<{ time: number }>(
      'SELECT round(extract(epoch FROM clock_timestamp()) * 1000000)::bigint AS time',
    );
    const after = performance.now();
    if (!row || (this.#offset !== null && after - before > longestMeasureMs)) return;
    this.#offset = row.time - ((before + after) / 2) * 1000;
    this.#measuredAt = after;
  }
}

/** For tests: the time of a clock that they move. */
export function channelClockOf(clock: Clock): ChannelClock {
  return { now: () => clock.now().getTime() * 1000 };
}

/** The present time of channels: microseconds since 1970. */
export function channelTime(ctx: Context): number | Promise<number> {
  return ctx.channelClock.now(ctx);
}
