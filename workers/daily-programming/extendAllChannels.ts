import { setTimeout as sleep } from 'node:timers/promises';
import {
  channelsOnAir,
  isExtensionDue,
  queueExtensions,
  type ChannelOnAir,
} from '../../shared/cast/extension.service.js';
import { extendPlayout } from '../../shared/cast/playout.service.js';
import { outageOf } from '../../shared/platform/outage.js';
import type { Handler, JobRun } from '../runtime/jobTypes.js';

/** The period of the job: the next tick is enqueued while the job runs, and the queue then runs it again, in any worker. */
const sliceSeconds = 60;
/** How often a live program is extended with its new stored segments. */
const passMs = 1_000;
/** Channels that are extended concurrently, so that a channel whose rows are locked does not delay the others. */
const together = 4;

/**
 * `cast.extendAll`: queues the channels that need cuts and slates, then extends the playout of all channels on air for one minute.
 * If no channel is on air, it ends at once. A channel that fails is logged, and extended again in the next minute. Rejects if a
 * server is unavailable, because that is no fault of a channel.
 */
export const extendAllChannelsHandler: Handler<object> = async (run) => {
  const endsAt = performance.now() + sliceSeconds * 1_000;
  const channels = await queueExtensions(run.ctx);
  const onAir = await channelsOnAir(run.ctx, sliceSeconds);
  if (onAir.length === 0) return { channels };
  const extensions = new Extensions(run, onAir);
  try {
    for (let next = performance.now() + passMs; ; next += passMs) {
      await extensions.pass(next);
      if (next > endsAt) return { channels };
      await sleep(Math.max(0, next - performance.now()), undefined, { signal: run.signal });
    }
  } finally {
    await extensions.ended();
  }
};

/** The channels on air in one time slice, each extended when it is due. */
class Extensions {
  readonly #run: JobRun<object>;
  readonly #onAir: Map<string, ChannelOnAir>;
  readonly #inProgress = new Map<string, Promise<void>>();
  #outage: Error | null = null;

  constructor(run: JobRun<object>, onAir: readonly ChannelOnAir[]) {
    this.#run = run;
    this.#onAir = new Map(onAir.map((channel) => [channel.channelId, channel]));
  }

  /** Starts to extend the channels that are due, until `endsAt`. The next pass starts again with a channel of each owner. */
  async pass(endsAt: number): Promise<void> {
    const { ctx } = this.#run;
    this.#assertContinues();
    const now = await ctx.databaseTime.now(ctx);
    const due = [...this.#onAir.values()].filter((channel) => isExtensionDue(ctx, channel, now));
    for (const channel of fairOrder(due)) {
      if (this.#inProgress.has(channel.channelId)) continue;
      if (this.#inProgress.size >= together) await Promise.race(this.#inProgress.values());
      this.#assertContinues();
      if (performance.now() >= endsAt) return;
      this.#inProgress.set(channel.channelId, this.#extend(channel));
    }
  }

  #assertContinues(): void {
    this.#run.signal.throwIfAborted();
    if (this.#outage) throw this.#outage;
  }

  async #extend({ channelId, ownerId }: ChannelOnAir): Promise<void> {
    const { ctx, log } = this.#run;
    try {
      const decidedUntil = await extendPlayout(ctx, channelId);
      if (decidedUntil === null) this.#onAir.delete(channelId);
      else this.#onAir.set(channelId, { channelId, ownerId, decidedUntil });
    } catch (error) {
      this.#onAir.delete(channelId);
      if (outageOf(error) === null) log.warn({ err: error, channelId }, 'cast channel not extended');
      else this.#outage = error as Error;
    } finally {
      this.#inProgress.delete(channelId);
    }
  }

  /** Resolves when no extension is in progress. */
  async ended(): Promise<void> {
    await Promise.all(this.#inProgress.values());
  }
}

/** Round-robin by owner: the most urgent channel of each owner, then the second one of each, so that no owner delays all others. */
function fairOrder(channels: readonly ChannelOnAir[]): ChannelOnAir[] {
  const counts = new Map<string, number>();
  const ranked = channels
    .toSorted((one, other) => one.decidedUntil - other.decidedUntil)
    .map((channel) => {
      const rank = counts.get(channel.ownerId) ?? 0;
      counts.set(channel.ownerId, rank + 1);
      return { channel, rank };
    });
  return ranked.toSorted((one, other) => one.rank - other.rank).map(({ channel }) => channel);
}
