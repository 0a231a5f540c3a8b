import { deflateSync } from 'node:zlib';

/*
 * Writes small Matroska files that ffmpeg does not write: subtitle streams with compressed blocks, so that a small
 * file contains any amount of text.
 */

/** A cue: start and duration in milliseconds, and text. */
export type SubtitleBlock = readonly [startMs: number, durationMs: number, text: string];

export interface MatroskaSubtitles {
  /** The language in three letters. */
  readonly language: string;
  readonly cues: Iterable<SubtitleBlock>;
}

const sampleRate = 8_000;

/** Silent PCM audio, and these subtitle streams in SubRip, compressed with zlib. */
export function matroskaFile(seconds: number, subtitles: readonly MatroskaSubtitles[]): Buffer {
  const tracks = [audioTrack(), ...subtitles.map(({ language }, index) => subtitleTrack(index + 2, language))];
  const header = [
    element(0x1a45dfa3, [element(0x4282, Buffer.from('matroska')), number(0x4287, 4), number(0x4285, 2)]),
    element(0x18538067, [
      element(0x1549a966, [number(0x2ad7b1, 1_000_000), element(0x4489, double(seconds * 1000))]),
      element(0x1654ae6b, tracks),
      ...Array.from({ length: seconds }, (_, second) => cluster(second * 1000, [silence()])),
      ...subtitles.flatMap(({ cues }, index) => [...subtitleClusters(index + 2, cues)]),
    ]),
  ];
  return Buffer.concat(header);
}

function audioTrack(): Buffer {
  const audio = element(0xe1, [element(0xb5, double(sampleRate)), number(0x9f, 1), number(0x6264, 16)]);
  const codec = element(0x86, Buffer.from('A_PCM/INT/LIT'));
  return element(0xae, [number(0xd7, 1), number(0x73c5, 1), number(0x83, 2), codec, audio]);
}

function subtitleTrack(track: number, language: string): Buffer {
  const zlib = element(0x6d80, [element(0x6240, [number(0x5031, 0), element(0x5034, [number(0x4254, 0)])])]);
  const codec = element(0x86, Buffer.from('S_TEXT/UTF8'));
  const name = element(0x22b59c, Buffer.from(language));
  return element(0xae, [number(0xd7, track), number(0x73c5, track), number(0x83, 0x11), codec, name, zlib]);
}

/** One second of PCM audio. */
function silence(): Buffer {
  return element(0xa3, Buffer.concat([Buffer.from([0x81, 0, 0, 0x80]), Buffer.alloc(sampleRate * 2)]));
}

function* subtitleClusters(track: number, cues: Iterable<SubtitleBlock>): Generator<Buffer> {
  const compressed = new Map<string, Buffer>();
  for (const [startMs, durationMs, text] of cues) {
    const data = compressed.get(text) ?? deflateSync(text);
    if (text.length > 1000) compressed.set(text, data);
    const block = element(0xa1, Buffer.concat([Buffer.from([0x80 | track, 0, 0, 0]), data]));
    yield cluster(startMs, [element(0xa0, [block, number(0x9b, durationMs)])]);
  }
}

const cluster = (startMs: number, blocks: readonly Buffer[]): Buffer =>
  element(0x1f43b675, [number(0xe7, startMs), ...blocks]);

function element(id: number, content: Buffer | readonly Buffer[]): Buffer {
  const data = Buffer.isBuffer(content) ? content : Buffer.concat(content);
  const name = Buffer.from(id.toString(16), 'hex');
  const size = Buffer.alloc(8);
  size.writeBigUInt64BE((1n << 56n) | BigInt(data.length));
  return Buffer.concat([name, size, data]);
}

function number(id: number, value: number): Buffer {
  const data = Buffer.alloc(4);
  data.writeUInt32BE(value);
  return element(id, data);
}

function double(value: number): Buffer {
  const data = Buffer.alloc(8);
  data.writeDoubleBE(value);
  return data;
}
