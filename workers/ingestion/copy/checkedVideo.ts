import { avcConfigurationOf } from '../../../shared/media/mp4/index.js';
import { parameterSetsOf, readAvcConfiguration } from '../../../shared/media/avc/index.js';
import { CopyError } from './copyRefusal.js';
import { hasSquarePixels } from './copyable.js';

/** NAL units of H.264 (ISO 14496-10, table 7-1). */
const unitTypes = { slice: 1, keyframe: 5, sequence: 7, picture: 8 };
/** Slices, and units that players ignore: SEI, delimiters, end of sequence or stream, filler data. */
const knownTypes = new Set([1, 5, 6, 7, 8, 9, 10, 11, 12]);
/** Bytes of the length field before each NAL unit, as ffmpeg writes it. */
export const lengthBytes = 4;

/** Checks the frames of one video against its decoder configuration. */
export interface CheckedVideo {
  /** Throws CopyError if the frame is damaged, has other parameter sets, or is the first of a segment but no keyframe. */
  check(frame: Buffer, isFirst: boolean): void;
}

/** Throws CopyError if the video of an initialisation segment cannot be copied. */
export function readInitialisation(
  init: Buffer,
  size: { readonly width: number; readonly height: number },
): CheckedVideo {
  const record = avcConfigurationOf(init);
  const description = readAvcConfiguration(record);
  if (!description || description.lengthBytes !== lengthBytes) throw new CopyError('damaged decoder configuration');
  if (!description.hasOneParameterSet) throw new CopyError('several parameter sets', 'parameterSets');
  if (!description.isProgressive) throw new CopyError('interlaced by its parameter set', 'interlaced');
  if (!description.isPlain) throw new CopyError('not 8 bits and 4:2:0 by its parameter set', 'pixelFormat');
  if (!hasSquarePixels(description)) throw new CopyError('pixels are not square by its parameter set', 'pixelAspect');
  if (description.width !== size.width || description.height !== size.height)
    throw new CopyError(`${description.width}x${description.height} by its parameter set`, 'size');
  const sets = parameterSetsOf(record).map(withoutTrailingZeros);
  return { check: (frame, isFirst) => checkFrame(frame, isFirst, sets) };
}

/** A transport stream may have trailing zeros after a unit (ISO 14496-10, annex B.1.1), which are not part of it. */
function withoutTrailingZeros(unit: Buffer): Buffer {
  let end = unit.length;
  while (end > 0 && unit[end - 1] === 0) end -= 1;
  return unit.subarray(0, end);
}

function checkFrame(frame: Buffer, isFirst: boolean, sets: readonly Buffer[]): void {
  let [slices, keyframes] = [0, 0];
  for (let at = 0; at < frame.length;) {
    const length = at + lengthBytes < frame.length ? frame.readUInt32BE(at) : 0;
    const start = at + lengthBytes;
    if (length === 0 || start + length > frame.length) throw new CopyError('a damaged frame');
    const header = frame[start] ?? 0xff;
    const type = header & 0x1f;
    if (header & 0x80 || !knownTypes.has(type)) throw new CopyError(`a NAL unit ${header}`);
    if (type === unitTypes.slice) slices += 1;
    if (type === unitTypes.keyframe) keyframes += 1;
    if (type === unitTypes.sequence || type === unitTypes.picture) {
      const unit = withoutTrailingZeros(frame.subarray(start, start + length));
      if (!sets.some((set) => set.equals(unit))) throw new CopyError('other parameter sets', 'parameterSets');
    }
    at = start + length;
  }
  if (slices + keyframes === 0) throw new CopyError('a sample without a frame');
  if (isFirst && (keyframes === 0 || slices > 0)) throw new CopyError('a segment begins without a keyframe', 'openGop');
}
