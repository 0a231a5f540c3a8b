import pLimit from 'p-limit';

/** Renders files on request, one at a time in this process. Callers who need the same file share one rendering. */
export interface RenderingQueue {
  /** Resolves when the file of this key is rendered; rejects as `render` does. A failed rendering may be tried again. */
  run(key: string, render: () => Promise<void>): Promise<void>;
}

declare module '../platform/context.js' {
  interface Context {
    /** Thumbnails that are being scaled. */
    readonly imageRenderings: RenderingQueue;
  }
}

export function createRenderingQueue(): RenderingQueue {
  const limit = pLimit(1);
  const renderings = new Map<string, Promise<void>>();
  return {
    run(key, render) {
      const running = renderings.get(key);
      if (running) return running;
      const rendering = limit(render).finally(() => renderings.delete(key));
      renderings.set(key, rendering);
      return rendering;
    },
  };
}
