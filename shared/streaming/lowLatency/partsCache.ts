import { LRUCache } from 'lru-cache';
import { ChangeSignal } from '../../platform/changeSignal.js';
import type { Context } from '../../platform/context.js';
import { RefreshedCache } from '../../platform/refreshedCache.js';
import { fetchInitialisation, fetchPart } from './fetchParts.js';
import { RunFollower, type FollowedRun, type StateListener } from './runFollower.js';
import type { PartAddress } from './partsState.js';

interface Media {
  readonly media: Buffer;
  /** Of the segment. */
  readonly startsAtMs: number;
}

/** Media of live processes that this process keeps for viewers, in all. */
const maxCachedBytes = 64 * 1024 ** 2;
const maxCachedFiles = 2_000;
/** Runs that are followed at a time, or were followed last. */
const maxRuns = 500;
/** Streams that viewers wait for. */
const maxStreams = 5_000;

/** What a web process has of live processes: the state of parts, by one request at a time for each run, and each part once. */
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

  /** `maxWaiting`: requests that wait for media, in all. Further ones get a list without parts. */
  constructor({ maxWaiting = 10_000 } = {}) {
    this.#maxWaiting = maxWaiting;
  }

  /** No more requests may wait. */
  get isFull(): boolean {
    return this.#waiting >= this.#maxWaiting || this.#isClosed;
  }

  /** Follows a run from now on. Null where the process stops. */
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

  /** Resolves at the next change of a stream, after `waitMs`, or when the caller is gone or this process stops. */
  async changed(streamId: string, waitMs: number, signal: AbortSignal): Promise<void> {
    if (this.#isClosed) return;
    this.#waiting += 1;
    await this.#changesOf(streamId).next(waitMs, signal);
    this.#waiting -= 1;
  }

  cached(address: PartAddress): Media | null {
    return this.#media.kept(keyOf(address));
  }

  /** The bytes of a part, read once. Null where it is not there any more. Rejects where the live process cannot be reached. */
  part(ctx: Context, run: FollowedRun, address: PartAddress, startsAtMs: number): Promise<Buffer | null> {
    return this.#read(keyOf(address), startsAtMs, () => fetchPart(ctx, run, address));
  }

  /** An initialisation segment, in the same way. `startsAtMs`: of a segment that needs it. */
  initialisation(ctx: Context, run: FollowedRun, map: string, startsAtMs: number): Promise<Buffer | null> {
    return this.#read(`${run.runId}/${map}`, startsAtMs, () => fetchInitialisation(ctx, run, map));
  }

  /** Wakes all that wait, and follows no run any more: the process stops. */
  close(): void {
    this.#isClosed = true;
    this.#followers.clear();
    for (const changes of this.#changes.values()) changes.notify();
  }

  async #read(key: string, startsAtMs: number, read: () => Promise<Buffer | null>): Promise<Buffer | null> {
    const kept = await this.#media.get(key, async () => {
      const media = await read();
      return media && { media, startsAtMs };
    });
    return kept?.media ?? null;
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
