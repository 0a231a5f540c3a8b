/*
 * The boxes of the MP4 container format (ISO 14496-12).
 */

/** The bytes are not a valid file of this format. */
export class DamagedMediaError extends Error {}

export interface Box {
  readonly type: string;
  /** Offsets of the content in the buffer. */
  readonly start: number;
  readonly end: number;
}

/** More boxes than any level of a valid recording has. Limits the work for a file with countless boxes. */
const maxBoxes = 1_000;

/** The boxes of one level, read lazily. Throws DamagedMediaError. */
export function* boxesIn(buffer: Buffer, start: number, end: number): Generator<Box> {
  let at = start;
  for (let boxes = 0; at + 8 <= end; boxes += 1) {
    if (boxes === maxBoxes) throw new DamagedMediaError(`more than ${maxBoxes} boxes at ${start}`);
    const size = buffer.readUInt32BE(at);
    if (size < 8 || at + size > end) throw new DamagedMediaError(`damaged box at ${at}`);
    yield { type: buffer.toString('latin1', at + 4, at + 8), start: at + 8, end: at + size };
    at += size;
  }
}

/** The first box at a path of types. Later boxes are not read. */
export function findBox(buffer: Buffer, within: Box | Buffer, ...path: readonly string[]): Box | undefined {
  let box: Box | undefined = Buffer.isBuffer(within) ? { type: '', start: 0, end: within.length } : within;
  for (const type of path) {
    if (!box) return undefined;
    box = firstOf(buffer, box, type);
  }
  return box;
}

function firstOf(buffer: Buffer, within: Box, type: string): Box | undefined {
  for (const box of boxesIn(buffer, within.start, within.end)) if (box.type === type) return box;
  return undefined;
}

/** Like `findBox`, but throws DamagedMediaError if there is no such box. */
export function needBox(buffer: Buffer, within: Box | Buffer, ...path: readonly string[]): Box {
  const box = findBox(buffer, within, ...path);
  if (!box) throw new DamagedMediaError(`no box ${path.join('/')}`);
  return box;
}
