import { audioBitsOf, audioSampleRate } from '../audioPackets.js';
import { box, numbers } from './boxWriter.js';

/** The track id of audio in files of its own: such a file can be put behind one of video, whose track is 1. */
export const audioTrackId = 2;

const aacLowComplexity = 2;
/** The index of 48 kHz (ISO 14496-3). */
const rateIndex = 3;
/** Of a picture that is not rotated: 1 in fixed point, three times (ISO 14496-12, 8.2.2). */
const identity = numbers(0x10000, 0, 0, 0, 0x10000, 0, 0, 0, 0x40000000);

/** The initialisation segment of AAC-LC at 48 kHz with so many channels, as this service encodes it. The same bytes for each track. */
export function audioInitialisation(channels: number): Buffer {
  const brands = Buffer.from('iso6', 'latin1');
  const fileType = box('ftyp', brands, numbers(0), Buffer.from('iso6cmfcmp41', 'latin1'));
  const times = numbers(0, 0, 0, audioSampleRate, 0);
  const header = box(
    'mvhd',
    times,
    numbers(0x10000, 0x01000000, 0, 0),
    identity,
    numbers(0, 0, 0, 0, 0, 0),
    numbers(3),
  );
  const trackHeader = box('tkhd', numbers(7, 0, 0, audioTrackId, 0, 0, 0, 0, 1, 0x01000000), identity, numbers(0, 0));
  const undefinedLanguage = numbers(0x55c40000);
  const handler = box(
    'hdlr',
    numbers(0, 0),
    Buffer.from('soun', 'latin1'),
    numbers(0, 0, 0),
    Buffer.from('audio\0', 'latin1'),
  );
  const noTable = numbers(0, 0);
  const samples = box(
    'stbl',
    box('stsd', numbers(0, 1), sampleEntryOf(channels)),
    ...[box('stts', noTable), box('stsc', noTable), box('stsz', numbers(0, 0, 0)), box('stco', noTable)],
  );
  const references = box('dinf', box('dref', numbers(0, 1), box('url ', numbers(1))));
  const media = box(
    'mdia',
    box('mdhd', times, undefinedLanguage),
    handler,
    box('minf', box('smhd', numbers(0, 0)), references, samples),
  );
  const fragments = box('mvex', box('trex', numbers(0, audioTrackId, 1, 0, 0, 0)));
  return Buffer.concat([fileType, box('moov', header, box('trak', trackHeader, media), fragments)]);
}

function sampleEntryOf(channels: number): Buffer {
  return box('mp4a', numbers(0, 1, 0, 0, (channels << 16) | 16, 0, audioSampleRate * 65_536), descriptorOf(channels));
}

/** The box `esds` (ISO 14496-1): nested descriptors of less than 128 bytes, each a tag, a length and its content. */
function descriptorOf(channels: number): Buffer {
  const configuration = Buffer.alloc(2);
  configuration.writeUInt16BE((aacLowComplexity << 11) | (rateIndex << 7) | (channels << 3));
  const bits = audioBitsOf(channels);
  const aac = Buffer.from([0x40, 0x15, 0, 0, 0]);
  const decoder = descriptor(0x04, aac, numbers(bits, bits), descriptor(0x05, configuration));
  const stream = descriptor(0x03, Buffer.from([0, audioTrackId, 0]), decoder, descriptor(0x06, Buffer.from([0x02])));
  return box('esds', numbers(0), stream);
}

function descriptor(tag: number, ...parts: readonly Buffer[]): Buffer {
  const content = Buffer.concat(parts);
  return Buffer.concat([Buffer.from([tag, content.length]), content]);
}
