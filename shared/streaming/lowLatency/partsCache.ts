import { LRUCache } from 'lru-cache';
import { ChangeSignal } from '../../platform/changeSignal.js';
import type { Context } from '../../platform/context.js';
import { RefreshedCache } from '../../platform/refreshedCache.js';
import { fetchInitialisation, fetchPart } from './fetchParts.js';
import { RunFollower, type FollowedRun, type StateListener } from './runFollower.js';
import type { PartAddress } from './partsState.js';

interface Media {
  readonly media: Buffer;
  /** Start of the segment. */
  readonly startsAtMs: number;
}

/** Size of the cache for media of live processes. */
const maxCachedBytes = 64 * 1024 ** 2;
const maxCachedFiles = 2_000;
/** Followers, including those of runs that are no longer followed. */
const maxRuns = 500;
/** Streams with waiting viewers. */
const maxStreams = 5_000;

/** A web process's cache of live processes: the parts state, with one request at a time per run, and each part, fetched once. */
export class PartsCache {
  readonly #followers = new LRUCache<string, RunFollower>({
    max: maxRuns,
    dispose: (follower) => follower.stop(),
  });
  readonly #media = new RefreshedCache<Media>({
    ...{ lifetimeMs: Number.POSITIVE_INFINITY, maxEntries: maxCachedFiles },
    memory: { maxBytes: maxCachedBytes, bytesOf: ({ media }) => media.length },
  });
  readonly #changes = new LRUCache<string, ChangeSignal>({ max: maxStreams });
  readonly #maxWaiting: number;
  #waiting = 0;
  #isClosed = false;

  /** `maxWaiting`: maximum of waiting requests. Further ones get a playlist without parts. */
  constructor({ maxWaiting = 10_000 } = {}) {
    this.#maxWaiting = maxWaiting;
  }

  /** Whether no more requests may wait. */
  get isFull(): boolean {
    return this.#waiting >= this.#maxWaiting || this.#isClosed;
  }

  /** Follows a run. Null if the process is stopping. */
  follow(ctx: Context, run: FollowedRun, onChange: StateListener): RunFollower | null {
    const known = this.#followers.get(run.runId);
    if (known && !known.isStopped) return known;
    if (this.#isClosed) return null;
    const changes = this.#changesOf(run.streamId);
    const follower = new RunFollower(ctx, run, (state, before) => {
      onChange(state, before);
      changes.notify();
    });
    this.#followers.set(run.runId, follower);
    return follower;
  }

  /** A run that this process follows, or has followed. */
  followerOf(runId: string): RunFollower | null {
    return this.#followers.peek(runId) ?? null;
  }

  /** Resolves at the next change of a stream, after `waitMs`, when `signal` aborts, or when this process stops. */
  async changed(streamId: string, waitMs: number, signal: AbortSignal): Promise<void> {
    if (this.#isClosed) return;
    this.#waiting += 1;
    await this.#changesOf(streamId).next(waitMs, signal);
    this.#waiting -= 1;
  }

  cached(address: PartAddress): Media | null {
    return this.#media.kept(keyOf(address));
  }

  /** The bytes of a part, fetched once. Null if it no longer exists. Rejects if the live process cannot be reached. */
  part(ctx: Context, run: FollowedRun, address: PartAddress, startsAtMs: number): Promise<Buffer | null> {
    return this.#read(keyOf(address), startsAtMs, () => fetchPart(ctx, run, address));
  }

  /** Like `part`, for an initialisation segment. `startsAtMs`: start of a segment that needs it. */
  initialisation(ctx: Context, run: FollowedRun, map: string, startsAtMs: number): Promise<Buffer | null> {
    return this.#read(`${run.runId}/${map}`, startsAtMs, () => fetchInitialisation(ctx, run, map));
  }

  /** Wakes all waiting requests and stops all followers, because the process stops. */
  close(): void {
    this.#isClosed = true;
    this.#followers.clear();
    for (const changes of this.#changes.values()) changes.notify();
  }

  async #read(key: string, startsAtMs: number, read: () => Promise<Buffer | null>): Promise<Buffer | null> {
    const cached = await this.#media.get(key, async () => {
      const media = await read();
      return media && { media, startsAtMs };
    });
    return cached?.media ?? null;
  }

  #changesOf(streamId: string): ChangeSignal {
    const known = this.#changes.get(streamId);
    if (known) return known;
    const changes = new ChangeSignal();
    this.#changes.set(streamId, changes);
    return changes;
  }
}

function keyOf({ runId, number, part, rendition }: PartAddress): string {
  return `${runId}/${number}/${part}/${rendition}`;
}
