import type { Readable } from 'node:stream';
import { FlvError, FlvReader, type FlvTag } from '../../../shared/media/flv/index.js';
import { UnsupportedMediaError } from './mediaTag.js';
import { isProgrammingError } from './programmingError.js';

/** The media source of a run. */
export interface RunSource {
  /** In the order of arrival. */
  readonly tags: AsyncIterable<readonly FlvTag[]>;
  /** Resolves when the encoder has disconnected; more tags may follow. Absent if `tags` ends at the same time. */
  readonly ended?: Promise<unknown>;
  /** Stops reading: `tags` ends soon. */
  close(this: void): void;
}

/** The source of a run cannot be read. The message is for the log and the owner. */
export class SourceError extends Error {}

/** An FLV stream. `tags` throws FlvError. */
export function flvSource(stream: Readable): RunSource {
  return { tags: readTags(stream), close: () => void stream.destroy() };
}

async function* readTags(stream: Readable): AsyncGenerator<readonly FlvTag[]> {
  const reader = new FlvReader();
  for await (const block of stream) yield reader.push(block as Buffer);
}

/** Why a source has ended, for the log and the owner; null for a programming error. */
export function reasonOfSourceError(error: unknown): string | null {
  if (error instanceof SourceError || error instanceof UnsupportedMediaError || error instanceof FlvError)
    return error.message;
  return isProgrammingError(error) ? null : `source failed: ${(error as Error).message}`;
}
