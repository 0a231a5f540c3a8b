import type { Readable } from 'node:stream';
import { BrokenTransferError, ImportRefusedError } from './importErrors.js';

/** The first bytes of a body, enough to recognize text. */
const sniffedBytes = 64;
/** A transfer below this speed is too slow. */
const minBytes = 1024 ** 2;
const minBytesMs = 60_000;
interface CheckedTransfer {
  readonly start: number;
  readonly maxBytes: number;
  readonly signal: AbortSignal;
  /** Ends the body early; the bytes received so far are stored. */
  readonly sliceEnd: AbortSignal;
  /** Called with the number of bytes of the file received so far. */
  readonly onBytes: (bytes: number) => void;
}

/**
 * Yields the body of a response. Throws ImportRefusedError if it is a page, a playlist or other text, or has more than `maxBytes`,
 * and BrokenTransferError if the transfer breaks off or is too slow.
 */
export async function* checkedBody(
  body: Readable,
  { start, maxBytes, signal, sliceEnd, onBytes }: CheckedTransfer,
): AsyncGenerator<Buffer> {
  let bytes = start;
  let [before, since] = [start, performance.now()];
  const endSlice = (): void => void body.destroy(sliceEnd.reason as Error);
  sliceEnd.addEventListener('abort', endSlice, { once: true });
  try {
    for await (const chunk of body as AsyncIterable<Buffer>) {
      if (bytes === 0 && isText(chunk.toString('latin1', 0, sniffedBytes)))
        throw new ImportRefusedError('content.failure.importNoFile', 'text instead of a media file');
      bytes += chunk.length;
      onBytes(bytes);
      if (bytes > maxBytes)
        throw new ImportRefusedError('content.failure.importTooLarge', `more than ${maxBytes} bytes`);
      yield chunk;
      if (performance.now() - since < minBytesMs) continue;
      if (bytes - before < minBytes) throw new BrokenTransferError('too slow');
      [before, since] = [bytes, performance.now()];
    }
  } catch (error) {
    signal.throwIfAborted();
    if (sliceEnd.aborted) return;
    if (error instanceof ImportRefusedError) throw error;
    throw new BrokenTransferError((error as Error).message);
  }
}

/** The beginnings of pages, manifests, playlists and directory listings. No media container begins like these. */
function isText(beginning: string): boolean {
  return /^(?:\xef\xbb\xbf)?\s*(?:<|\{|\[|#EXTM3U|ffconcat)/.test(beginning);
}
