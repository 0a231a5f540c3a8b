import type { Context } from '../platform/context.js';
import { contextPart } from '../platform/contextParts.js';
import { contentStates, type ContentProgress } from './contentState.queries.js';

/** Called with the state of a content; undefined is the last call: the content is deleted, or the process stops. */
type StateListener = (progress: ContentProgress | undefined) => void;

const pollMilliseconds = 1_000;

/**
 * Reports the state of contents to listeners. One query per second reads the rows of all listened contents, regardless of
 * the number of listeners. No query runs while there is no listener.
 */
class ContentStateFeed {
  readonly #listeners = new Map<string, Set<StateListener>>();
  #timer: NodeJS.Timeout | undefined;
  #isReading = false;
  #isClosed = false;

  /** Calls `listener` every second, until the returned function is called. After `close` it is called once, with undefined. */
  listen(ctx: Context, contentId: string, listener: StateListener): () => void {
    if (this.#isClosed) listener(undefined);
    const listeners = this.#listeners.get(contentId) ?? new Set();
    this.#listeners.set(contentId, listeners.add(listener));
    this.#timer ??= setInterval(() => void this.#report(ctx), pollMilliseconds).unref();
    return () => {
      listeners.delete(listener);
      if (listeners.size === 0 && this.#listeners.get(contentId) === listeners) this.#listeners.delete(contentId);
      if (this.#listeners.size === 0) this.#stop();
    };
  }

  /** Ends all feeds when the process stops. */
  close(): void {
    this.#isClosed = true;
    for (const listeners of this.#listeners.values()) for (const listener of listeners) listener(undefined);
  }

  #stop(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  /** A failed read is repeated a second later. */
  async #report(ctx: Context): Promise<void> {
    if (this.#isReading) return;
    this.#isReading = true;
    try {
      const listened = [...this.#listeners];
      const states = await contentStates(
        ctx,
        listened.map(([contentId]) => contentId),
      );
      for (const [contentId, listeners] of listened) for (const listener of listeners) listener(states.get(contentId));
    } catch (error) {
      ctx.log.warn({ err: error }, 'content state read failed');
    } finally {
      this.#isReading = false;
    }
  }
}

/** The feed through which this process reports content states to clients. */
export const contentStateFeed = contextPart(() => new ContentStateFeed());
