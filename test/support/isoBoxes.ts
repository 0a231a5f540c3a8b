/*
 * Films with something wrong in them: boxes of an MP4 or MOV (ISO 14496-12) taken out and put back in another form. The
 * films must have their index behind their media, as ffmpeg writes it, because nothing that points to the media is moved.
 */

/** A box of a type, around its parts. */
export function isoBox(type: string, ...parts: readonly Buffer[]): Buffer {
  const payload = Buffer.concat(parts);
  return Buffer.concat([numbers(payload.length + 8), Buffer.from(type, 'latin1'), payload]);
}

/** Numbers of 32 bits. */
export function numbers(...values: readonly number[]): Buffer {
  const buffer = Buffer.alloc(values.length * 4);
  for (const [index, value] of values.entries()) buffer.writeUInt32BE(value >>> 0, index * 4);
  return buffer;
}

/** The same boxes, with another payload for each that a path of types leads to. Throws where it leads to none. */
export function editBoxes(boxes: Buffer, path: readonly string[], edit: (payload: Buffer) => Buffer): Buffer {
  const [type = '', ...rest] = path;
  const edited: Buffer[] = [];
  let found = false;
  for (let at = 0; at + 8 <= boxes.length;) {
    const size = boxes.readUInt32BE(at) || boxes.length - at;
    if (size < 8) throw new Error(`a box of ${size} bytes at ${at}`);
    const payload = boxes.subarray(at + 8, at + size);
    const isIt = boxes.toString('latin1', at + 4, at + 8) === type;
    found ||= isIt;
    if (!isIt) edited.push(boxes.subarray(at, at + size));
    else edited.push(isoBox(type, rest.length > 0 ? editBoxes(payload, rest, edit) : edit(payload)));
    at += size;
  }
  if (!found) throw new Error(`there is no box ${type}`);
  return Buffer.concat(edited);
}

/** The same film with zeros for all that its index points to. */
export function withoutMedia(film: Buffer): Buffer {
  return editBoxes(film, ['mdat'], (media) => Buffer.alloc(media.length));
}

/** The same film, all tracks of which are shown from their start again and again, for a number of milliseconds each time. */
export function withEdits(film: Buffer, count: number, milliseconds: number): Buffer {
  const list = Buffer.alloc(8 + count * 12);
  list.writeUInt32BE(count, 4);
  for (let entry = 0; entry < count; entry += 1) numbers(milliseconds, 0, 0x10000).copy(list, 8 + entry * 12);
  return editBoxes(film, ['moov', 'trak', 'edts', 'elst'], () => list);
}

/** The same film, whose index says that its media lie in another file. */
export function withReference(film: Buffer, entry: Buffer): Buffer {
  return editBoxes(film, ['moov', 'trak', 'mdia', 'minf', 'dinf', 'dref'], () => Buffer.concat([numbers(0, 1), entry]));
}

/**
 * A reference as QuickTime on a Macintosh wrote it: a path, which is resolved from `levelsUp - 1` folders above the film's
 * own, taking its last `levelsDown` names; with zeros, as it stands.
 */
export function aliasTo(path: string, levels: { readonly up: number; readonly down: number }): Buffer {
  const record = Buffer.alloc(150);
  record.writeUInt16BE(levels.up, 130);
  record.writeUInt16BE(levels.down, 132);
  const name = Buffer.from(path.length % 2 === 0 ? path : `${path}\0`);
  const absolutePath = Buffer.concat([Buffer.from([0, 2, path.length >> 8, path.length & 0xff]), name]);
  return isoBox('alis', numbers(0), record, absolutePath, Buffer.from([0xff, 0xff, 0, 0]));
}

/** A reference to an address. */
export function referenceTo(address: string): Buffer {
  return isoBox('url ', numbers(0), Buffer.from(`${address}\0`));
}
