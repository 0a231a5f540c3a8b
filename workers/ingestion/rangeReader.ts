import type { RangeReader } from '../../shared/media/mp4/index.js';
import type { RangedFile } from '../media/index.js';

/** Reads ranges of a stored file into memory. */
export function rangeReaderOf(file: RangedFile): RangeReader {
  return {
    bytes: file.bytes,
    async read(start, end) {
      const data = Buffer.allocUnsafe(end - start);
      let filled = 0;
      for await (const part of await file.read({ start, end: end - 1 })) filled += (part as Buffer).copy(data, filled);
      return data.subarray(0, filled);
    },
  };
}
