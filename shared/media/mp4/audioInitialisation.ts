import { audioBitsOf, audioSampleRate } from '../audioPackets.js';
import { mp4Box, numbers } from './boxWriter.js';
import { trackIds } from './singleTrack.js';

const aacLowComplexity = 2;
/** The index of 48 kHz (ISO 14496-3). */
const rateIndex = 3;
/** Transformation matrix without rotation: 1 in fixed point, three times (ISO 14496-12, 8.2.2). */
const identity = numbers(0x10000, 0, 0, 0, 0x10000, 0, 0, 0, 0x40000000);

/**
 * The initialisation segment of AAC-LC at 48 kHz with this number of channels, as this service encodes it. All tracks have the
 * same bytes.
 */
export function audioInitialisation(channels: number): Buffer {
  const brands = Buffer.from('iso6', 'latin1');
  const fileType = mp4Box('ftyp', brands, numbers(0), Buffer.from('iso6cmfcmp41', 'latin1'));
  const times = numbers(0, 0, 0, audioSampleRate, 0);
  const header = mp4Box(
    'mvhd',
    times,
    numbers(0x10000, 0x01000000, 0, 0),
    identity,
    numbers(0, 0, 0, 0, 0, 0),
    numbers(3),
  );
  const trackHeader = mp4Box(
    'tkhd',
    numbers(7, 0, 0, trackIds.audio, 0, 0, 0, 0, 1, 0x01000000),
    identity,
    numbers(0, 0),
  );
  const undefinedLanguage = numbers(0x55c40000);
  const handler = mp4Box(
    'hdlr',
    numbers(0, 0),
    Buffer.from('soun', 'latin1'),
    numbers(0, 0, 0),
    Buffer.from('audio\0', 'latin1'),
  );
  const noTable = numbers(0, 0);
  const samples = mp4Box(
    'stbl',
    mp4Box('stsd', numbers(0, 1), sampleEntryOf(channels)),
    ...[mp4Box('stts', noTable), mp4Box('stsc', noTable), mp4Box('stsz', numbers(0, 0, 0)), mp4Box('stco', noTable)],
  );
  const references = mp4Box('dinf', mp4Box('dref', numbers(0, 1), mp4Box('url ', numbers(1))));
  const media = mp4Box(
    'mdia',
    mp4Box('mdhd', times, undefinedLanguage),
    handler,
    mp4Box('minf', mp4Box('smhd', numbers(0, 0)), references, samples),
  );
  const fragments = mp4Box('mvex', mp4Box('trex', numbers(0, trackIds.audio, 1, 0, 0, 0)));
  return Buffer.concat([fileType, mp4Box('moov', header, mp4Box('trak', trackHeader, media), fragments)]);
}

function sampleEntryOf(channels: number): Buffer {
  return mp4Box(
    'mp4a',
    numbers(0, 1, 0, 0, (channels << 16) | 16, 0, audioSampleRate * 65_536),
    descriptorOf(channels),
  );
}

/** The box `esds` (ISO 14496-1): nested descriptors shorter than 128 bytes, each a tag, a length and its content. */
function descriptorOf(channels: number): Buffer {
  const configuration = Buffer.alloc(2);
  configuration.writeUInt16BE((aacLowComplexity << 11) | (rateIndex << 7) | (channels << 3));
  const bits = audioBitsOf(channels);
  const aac = Buffer.from([0x40, 0x15, 0, 0, 0]);
  const decoder = descriptor(0x04, aac, numbers(bits, bits), descriptor(0x05, configuration));
  const stream = descriptor(0x03, Buffer.from([0, trackIds.audio, 0]), decoder, descriptor(0x06, Buffer.from([0x02])));
  return mp4Box('esds', numbers(0), stream);
}

function descriptor(tag: number, ...parts: readonly Buffer[]): Buffer {
  const content = Buffer.concat(parts);
  return Buffer.concat([Buffer.from([tag, content.length]), content]);
}
