import { contentStates, type ContentProgress } from '../../shared/box/contentState.queries.js';
import type { Context } from '../../shared/platform/context.js';

type StatusListener = (progress: ContentProgress | undefined) => void;

const pollMilliseconds = 1_000;

/**
 * Tells listeners how far contents are. However many listen at a process, the rows are asked once a second for all of
 * them together, and not at all while nobody listens.
 */
class StatusFeed {
  readonly #ctx: Context;
  readonly #listeners = new Map<string, Set<StatusListener>>();
  #timer: NodeJS.Timeout | undefined;
  #isAsking = false;
  #isClosed = false;

  constructor(ctx: Context) {
    this.#ctx = ctx;
  }

  /** Undefined is told when there is no more to come. Returns what ends the listening. */
  listen(contentId: string, listener: StatusListener): () => void {
    if (this.#isClosed) listener(undefined);
    const listeners = this.#listeners.get(contentId) ?? new Set();
    this.#listeners.set(contentId, listeners.add(listener));
    this.#timer ??= setInterval(() => void this.#tell(), pollMilliseconds).unref();
    return () => {
      listeners.delete(listener);
      if (listeners.size === 0 && this.#listeners.get(contentId) === listeners) this.#listeners.delete(contentId);
      if (this.#listeners.size === 0) this.#stop();
    };
  }

  /** Tells everybody that there is no more to come: the process is stopping. */
  close(): void {
    this.#isClosed = true;
    for (const listeners of this.#listeners.values()) for (const listener of listeners) listener(undefined);
  }

  #stop(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  /** Rows that cannot be asked for now are asked for again in a second. */
  async #tell(): Promise<void> {
    if (this.#isAsking) return;
    this.#isAsking = true;
    try {
      const asked = [...this.#listeners];
      const states = await contentStates(
        this.#ctx,
        asked.map(([contentId]) => contentId),
      );
      for (const [contentId, listeners] of asked) for (const listener of listeners) listener(states.get(contentId));
    } catch (error) {
      this.#ctx.log.warn({ err: error }, 'the progress of contents could not be read');
    } finally {
      this.#isAsking = false;
    }
  }
}

const feeds = new WeakMap<Context, StatusFeed>();

/** The one feed of a process's context. */
export function statusFeed(ctx: Context): StatusFeed {
  const feed = feeds.get(ctx) ?? new StatusFeed(ctx);
  feeds.set(ctx, feed);
  return feed;
}
