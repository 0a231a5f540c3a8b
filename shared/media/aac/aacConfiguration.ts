import { BitReader } from '../bitReader.js';

/** Object type of AAC-LC (ISO 14496-3). */
const lowComplexity = 2;
/** Indices of 48 and 44.1 kHz. */
const rateIndices: readonly number[] = [3, 4];
const channelConfigurations: readonly number[] = [1, 2];
/** Sync extension (ISO 14496-3): encoders append it to the configuration to signal an extension such as SBR. */
const extension = { mark: 0x2b7, spectralBands: 5 };

/**
 * Whether an AudioSpecificConfig (ISO 14496-3) describes AAC-LC that every player supports: one or two channels, at 44.1 or 48
 * kHz, with 1024 samples per packet. Chromium rejects channel layouts that the configuration itself defines.
 */
export function isPlainAac(configuration: Buffer): boolean {
  try {
    const reader = new BitReader(configuration);
    const isPlain =
      reader.bits(5) === lowComplexity &&
      rateIndices.includes(reader.bits(4)) &&
      channelConfigurations.includes(reader.bits(4));
    // 960 samples in a packet, a core coder, further fields.
    const flags = reader.bits(3);
    return isPlain && flags === 0 && !hasExtension(reader, configuration.length * 8 - 16);
  } catch (error) {
    if (error instanceof RangeError) return false;
    throw error;
  }
}

const escapedType = 31;
const explicitRate = 15;

/** Whether an AudioSpecificConfig declares one channel. A decoder may output two (parametric stereo). */
export function isMonoAac(configuration: Buffer): boolean {
  try {
    const reader = new BitReader(configuration);
    if (reader.bits(5) === escapedType) reader.bits(6);
    if (reader.bits(4) === explicitRate) reader.bits(24);
    return reader.bits(4) === 1;
  } catch (error) {
    if (error instanceof RangeError) return false;
    throw error;
  }
}

/** Whether the upper half of the spectrum is in an SBR extension: players without SBR play it dull and at half the sample rate. */
function hasExtension(reader: BitReader, bits: number): boolean {
  if (bits < 17 || reader.bits(11) !== extension.mark) return false;
  return reader.bits(5) === extension.spectralBands && reader.bit() === 1;
}
