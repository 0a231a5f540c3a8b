import type { Context } from '../../shared/platform/context.js';
import { claimOffered, markConnected } from '../../shared/streaming/offeredRun.lifecycle.js';
import { newLeaseOwner } from '../../shared/platform/lease.js';
import type { LiveRuns } from './liveRuns.js';
import { pullSource } from './publicationSource.js';

/** Takes publications that external servers offer, and those whose process has ended, while there are places. */
export async function claimOffers(ctx: Context, runs: LiveRuns): Promise<void> {
  for (let place = runs.reserve(null); place; place = runs.reserve(null)) {
    const leaseOwner = newLeaseOwner();
    const claimed = await claimOffered(ctx, leaseOwner, runs.partsUrl).catch((error: unknown) => {
      place?.release();
      throw error;
    });
    if (!claimed) return place.release();
    const { runId, pullUrl: url } = claimed;
    const onConnected = (): void =>
      void markConnected(ctx, { runId, leaseOwner }).catch((err: unknown) =>
        ctx.log.warn({ err }, 'connection not written'),
      );
    runs.serve({ ...claimed, leaseOwner }, pullSource({ url, onConnected }, ctx.config.live.reconnectSeconds), place);
  }
}
