import type { Readable } from 'node:stream';
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import { FlvError, FlvReader } from './flvReader.js';
import { MediaTagReader, UnsupportedMediaError, withoutBlock, type MediaTag } from './mediaTag.js';
import { isProgrammingError } from './programmingError.js';
import type { RunTimeline } from './runTimeline.js';
import { SourcePace } from './sourcePace.js';
import type { TagWindow } from './tagWindow.js';

/** Tags that are read in one turn of the event loop: blocks of tiny tags follow each other without a pause. */
const tagsPerTurn = 2000;

/**
 * Reads an FLV stream into the window of a run, as fast as the window has space, and hardly faster than real time
 * (`SourcePace`). Resolves with the reason of its end, for the log and the owner. `onMedia` is called with the media of each
 * arrival, and the bytes since the last one. Rejects on errors of our own only.
 */
export async function readSource(
  stream: Readable,
  window: TagWindow,
  timeline: RunTimeline,
  onMedia: (tags: readonly MediaTag[], bytes: number) => void,
): Promise<string> {
  const reader = new FlvReader();
  const media = new MediaTagReader(timeline);
  const pace = new SourcePace();
  let bytes = 0;
  try {
    let count = 0;
    for await (const block of stream) {
      bytes += (block as Buffer).length;
      const read = reader.push(block as Buffer);
      const tags = withoutBlock(read.flatMap((tag) => media.read(tag) ?? []));
      for (let from = 0; from < tags.length && !window.isEnded;) {
        const end = pace.take(tags, from);
        const arrived = tags.slice(from, end);
        onMedia(arrived, bytes);
        bytes = 0;
        window.push(arrived);
        from = end;
        if (pace.waitMs > 0) await waitUntilEnd(window, pace.waitMs);
        while (window.isFull && !window.isEnded) await window.changed();
      }
      if (window.isEnded) break;
      count += read.length;
      if (count < tagsPerTurn) continue;
      count = 0;
      await nextTurn();
    }
    return 'source ended';
  } catch (error) {
    if (error instanceof UnsupportedMediaError || error instanceof FlvError) return error.message;
    if (isProgrammingError(error)) throw error;
    return `source failed: ${(error as Error).message}`;
  } finally {
    window.end();
    stream.destroy();
  }
}

/** What an encoder has left behind is packaged for this time at most: a few bytes may say that they are hours. */
const afterEndMs = 120_000;

/** Ends the window some time after the encoder has left. Returns the function that stops this. */
export function endAfter(
  ended: Promise<unknown>,
  window: Pick<TagWindow, 'end'>,
  milliseconds = afterEndMs,
): () => void {
  let timer: NodeJS.Timeout | undefined;
  let isStopped = false;
  void ended.then(() => {
    if (!isStopped) timer = setTimeout(() => window.end(), milliseconds);
  });
  return () => {
    isStopped = true;
    clearTimeout(timer);
  };
}

/** Resolves after the time, and at the end of the window. */
async function waitUntilEnd(window: TagWindow, milliseconds: number): Promise<void> {
  const over = new AbortController();
  const waited = sleep(milliseconds, true, { signal: over.signal }).catch(() => true);
  try {
    while (!window.isEnded) if (await Promise.race([waited, window.changed().then(() => false)])) return;
  } finally {
    over.abort();
  }
}
