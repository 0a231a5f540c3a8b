/*
 * The boxes of the MP4 container format (ISO 14496-12).
 */

/** The bytes are not a file of this format. */
export class DamagedMediaError extends Error {}

export interface Box {
  readonly type: string;
  /** Offsets of its content in the buffer. */
  readonly start: number;
  readonly end: number;
}

export function* boxesIn(buffer: Buffer, start: number, end: number): Generator<Box> {
  let at = start;
  while (at + 8 <= end) {
    const size = buffer.readUInt32BE(at);
    if (size < 8 || at + size > end) throw new DamagedMediaError(`damaged box at ${at}`);
    yield { type: buffer.toString('latin1', at + 4, at + 8), start: at + 8, end: at + size };
    at += size;
  }
}

export function find(buffer: Buffer, within: Box | Buffer, ...path: readonly string[]): Box | undefined {
  let box: Box | undefined = Buffer.isBuffer(within) ? { type: '', start: 0, end: within.length } : within;
  for (const type of path) {
    if (!box) return undefined;
    box = [...boxesIn(buffer, box.start, box.end)].find((inner) => inner.type === type);
  }
  return box;
}

export function need(buffer: Buffer, within: Box | Buffer, ...path: readonly string[]): Box {
  const box = find(buffer, within, ...path);
  if (!box) throw new DamagedMediaError(`no box ${path.join('/')}`);
  return box;
}
