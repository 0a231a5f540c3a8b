import type { Readable } from 'node:stream';
import { FlvError, FlvReader } from './flvReader.js';
import { MediaTagReader, UnsupportedMediaError } from './mediaTag.js';
import { RunTimeline } from './runTimeline.js';
import type { TagWindow } from './tagWindow.js';

/**
 * Reads an FLV stream into the window of a run, as fast as the window has space. Resolves with the reason of its end, for
 * the log and the owner. `onMedia` is called at each arrival.
 */
export async function readSource(stream: Readable, window: TagWindow, onMedia: () => void): Promise<string> {
  const reader = new FlvReader();
  const media = new MediaTagReader(new RunTimeline());
  try {
    for await (const block of stream) {
      const tags = reader.push(block as Buffer).flatMap((tag) => media.read(tag) ?? []);
      if (tags.length > 0) onMedia();
      window.push(tags);
      while (window.isFull && !window.isEnded) await window.changed();
      if (window.isEnded) break;
    }
    return 'source ended';
  } catch (error) {
    if (error instanceof UnsupportedMediaError || error instanceof FlvError) return error.message;
    return `source failed: ${(error as Error).message}`;
  } finally {
    window.end();
    stream.destroy();
  }
}
