/*
 * Invalid videos: boxes of an MP4 or MOV (ISO 14496-12) replaced by boxes of another form. The index of the
 * videos must follow their media, as ffmpeg writes it, because offsets into the media are not changed.
 */

/** A box of a type, with its parts as payload. */
export function isoBox(type: string, ...parts: readonly Buffer[]): Buffer {
  const payload = Buffer.concat(parts);
  return Buffer.concat([numbers(payload.length + 8), Buffer.from(type, 'latin1'), payload]);
}

/** Numbers of 32 bits, big-endian. */
export function numbers(...values: readonly number[]): Buffer {
  const buffer = Buffer.alloc(values.length * 4);
  for (const [index, value] of values.entries()) buffer.writeUInt32BE(value >>> 0, index * 4);
  return buffer;
}

/** The same boxes with another payload for each box at a path of types. Throws if there is none. */
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

/** The same video with zeros instead of all media to which its index refers. */
export function withoutMedia(video: Buffer): Buffer {
  return editBoxes(video, ['mdat'], (media) => Buffer.alloc(media.length));
}

export const sampleTable = ['moov', 'trak', 'mdia', 'minf', 'stbl'];

/** The same video with another type for its boxes of a type, so that readers ignore them. */
export function withoutBoxes(video: Buffer, type: string): Buffer {
  const copy = Buffer.from(video);
  const index = copy.lastIndexOf('moov');
  for (let at = copy.indexOf(type, index); at >= 0; at = copy.indexOf(type, at)) copy.write('free', at, 'latin1');
  return copy;
}

/** The same video of two tracks, with all media of the second track, the audio, behind those of the first. */
export function withAudioBehind(video: Buffer): Buffer {
  const tables: number[][] = [];
  editBoxes(video, [...sampleTable, 'stco'], (table) => {
    tables.push(Array.from({ length: table.readUInt32BE(4) }, (_, chunk) => table.readUInt32BE(8 + 4 * chunk)));
    return table;
  });
  const all = [...tables.flat(), video.lastIndexOf('moov') - 4].toSorted((left, right) => left - right);
  const chunks = (tables[1] ?? []).map((start) => video.subarray(start, all[all.indexOf(start) + 1]));
  let [at, track] = [video.length + 8, 0];
  const moved = editBoxes(video, [...sampleTable, 'stco'], (table) => {
    track += 1;
    if (track === 1) return table;
    const offsets = chunks.map(({ length }) => (at += length) - length);
    return numbers(0, offsets.length, ...offsets);
  });
  return Buffer.concat([moved, isoBox('mdat', ...chunks)]);
}
