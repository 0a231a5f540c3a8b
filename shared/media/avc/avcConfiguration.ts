import { BitReader, withoutEmulationPrevention } from '../bitReader.js';

/** The contents of an H.264 decoder configuration (AVCDecoderConfigurationRecord, ISO 14496-15). */
export interface AvcDescription {
  /** Decoded size, after cropping. */
  readonly width: number;
  readonly height: number;
  /** Width of a pixel divided by its height. */
  readonly pixelAspect: number;
  /** 8 bits, 4:2:0. */
  readonly isPlain: boolean;
  readonly isProgressive: boolean;
  /** Matrix coefficients of the colours, by their number in table E-5 of H.264; null if not declared. */
  readonly matrix: number | null;
  /** From the timing information; null if absent. It is only a hint. */
  readonly framesPerSecond: number | null;
  /** Size of the length field in front of each NAL unit. */
  readonly lengthBytes: number;
  /** With several sequence parameter sets, the size could change at every keyframe. */
  readonly hasOneParameterSet: boolean;
}

/** Null if the record is damaged. */
export function readAvcConfiguration(record: Buffer): AvcDescription | null {
  try {
    if (record[0] !== 1) return null;
    const { units } = readUnits(record, 5, 0x1f);
    const [unit] = units;
    if (!unit || unit.length < 4 || unit.length > 1024) return null;
    const lengthBytes = ((record[4] ?? 0) & 3) + 1;
    return { ...readParameterSet(unit), lengthBytes, hasOneParameterSet: units.length === 1 };
  } catch (error) {
    if (error instanceof RangeError) return null;
    throw error;
  }
}

/** All parameter sets of a decoder configuration, those of sequences first. Throws RangeError if the record is truncated. */
export function parameterSetsOf(record: Buffer): Buffer[] {
  const sequences = readUnits(record, 5, 0x1f);
  return [...sequences.units, ...readUnits(record, sequences.end, 0xff).units];
}

/** The parameter sets of one kind. Their count is the byte at `at`, masked with `mask`. Throws RangeError if they are truncated. */
function readUnits(record: Buffer, at: number, mask: number): { units: Buffer[]; end: number } {
  const units: Buffer[] = [];
  let end = at + 1;
  for (let left = record.readUInt8(at) & mask; left > 0; left -= 1) {
    const length = record.readUInt16BE(end);
    const unit = record.subarray(end + 2, end + 2 + length);
    if (unit.length !== length) throw new RangeError('truncated parameter set');
    units.push(unit);
    end += 2 + length;
  }
  return { units, end };
}

type ParameterSet = Omit<AvcDescription, 'lengthBytes' | 'hasOneParameterSet'>;

/** Profiles whose parameter sets also describe chroma format, bit depth and scaling lists. */
const highProfiles = [100, 110, 122, 244, 44, 83, 86, 118, 128, 138, 139, 134, 135];

function readParameterSet(unit: Buffer): ParameterSet {
  const reader = new BitReader(withoutEmulationPrevention(unit.subarray(1)));
  const profile = reader.bits(8);
  reader.bits(16);
  reader.unsigned();
  const samples = highProfiles.includes(profile) ? readSamples(reader) : { chroma: 1, isEightBit: true };
  skipOrder(reader);
  const widthInBlocks = reader.unsigned() + 1;
  const heightInUnits = reader.unsigned() + 1;
  const isProgressive = reader.bit() === 1;
  if (!isProgressive) reader.bit();
  reader.bit();
  const [left, right, top, bottom] = reader.bit() === 1 ? readFour(reader) : [0, 0, 0, 0];
  const cropWidth = samples.chroma === 1 || samples.chroma === 2 ? 2 : 1;
  const cropHeight = (samples.chroma === 1 ? 2 : 1) * (isProgressive ? 1 : 2);
  const usability = reader.bit() === 1 ? readUsability(reader) : withoutUsability;
  return {
    width: widthInBlocks * 16 - (left + right) * cropWidth,
    height: heightInUnits * 16 * (isProgressive ? 1 : 2) - (top + bottom) * cropHeight,
    isPlain: samples.chroma === 1 && samples.isEightBit,
    isProgressive,
    ...usability,
  };
}

function readFour(reader: BitReader): [number, number, number, number] {
  return [reader.unsigned(), reader.unsigned(), reader.unsigned(), reader.unsigned()];
}

function readSamples(reader: BitReader): { chroma: number; isEightBit: boolean } {
  const chroma = reader.unsigned();
  if (chroma === 3) reader.bit();
  const lumaBits = reader.unsigned() + 8;
  const chromaBits = reader.unsigned() + 8;
  reader.bit();
  if (reader.bit() === 1)
    for (let list = 0; list < (chroma === 3 ? 12 : 8); list += 1)
      if (reader.bit() === 1) skipScalingList(reader, list < 6 ? 16 : 64);
  return { chroma, isEightBit: lumaBits === 8 && chromaBits === 8 };
}

function skipScalingList(reader: BitReader, size: number): void {
  let last = 8;
  let next = 8;
  for (let index = 0; index < size; index += 1) {
    if (next !== 0) next = (last + reader.signed() + 256) % 256;
    last = next === 0 ? last : next;
  }
}

/** Skips frame numbers, picture order and reference frames. */
function skipOrder(reader: BitReader): void {
  reader.unsigned();
  const orderType = reader.unsigned();
  if (orderType === 0) reader.unsigned();
  if (orderType === 1) {
    reader.bit();
    reader.signed();
    reader.signed();
    const cycle = reader.unsigned();
    if (cycle > 255) throw new RangeError('picture order cycle too long');
    for (let index = 0; index < cycle; index += 1) reader.signed();
  }
  reader.unsigned();
  reader.bit();
}

/** Table E-1: sample aspect ratios by their number, from 1. */
const aspectRatios = [
  [1, 1],
  [12, 11],
  [10, 11],
  [16, 11],
  [40, 33],
  [24, 11],
  [20, 11],
  [32, 11],
  [80, 33],
  [18, 11],
  [15, 11],
  [64, 33],
  [160, 99],
  [4, 3],
  [3, 2],
  [2, 1],
] as const;
const explicitRatio = 255;
const unspecifiedMatrix = 2;

type Usability = Pick<AvcDescription, 'pixelAspect' | 'matrix' | 'framesPerSecond'>;

const withoutUsability: Usability = { pixelAspect: 1, matrix: null, framesPerSecond: null };

function readUsability(reader: BitReader): Usability {
  const pixelAspect = reader.bit() === 1 ? readAspect(reader) : 1;
  if (reader.bit() === 1) reader.bit();
  let matrix: number | null = null;
  if (reader.bit() === 1) {
    reader.bits(4);
    if (reader.bit() === 1) {
      reader.bits(16);
      const declared = reader.bits(8);
      matrix = declared === unspecifiedMatrix ? null : declared;
    }
  }
  if (reader.bit() === 1) {
    reader.unsigned();
    reader.unsigned();
  }
  if (reader.bit() === 0) return { pixelAspect, matrix, framesPerSecond: null };
  const tick = reader.bits(32);
  const scale = reader.bits(32);
  return { pixelAspect, matrix, framesPerSecond: tick > 0 && scale > 0 ? scale / (2 * tick) : null };
}

function readAspect(reader: BitReader): number {
  const number = reader.bits(8);
  const [width, height] =
    number === explicitRatio ? [reader.bits(16), reader.bits(16)] : (aspectRatios[number - 1] ?? [1, 1]);
  return width > 0 && height > 0 ? width / height : 1;
}
