import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runTool } from './media.js';

/** Two bytes of CEA-608, without parity. */
export type Pair = readonly [number, number];

interface CaptionedCodec {
  readonly format: string;
  readonly encoding: readonly string[];
  /** The first bytes of an access unit delimiter, and of supplemental enhancement information. */
  readonly delimiter: Buffer;
  readonly information: readonly number[];
}

const codecs: Readonly<Record<'h264' | 'hevc', CaptionedCodec>> = {
  h264: {
    format: 'h264',
    encoding: ['-c:v', 'libx264', '-preset', 'ultrafast', '-bf', '0', '-bsf:v', 'h264_metadata=aud=insert'],
    delimiter: Buffer.from([0, 0, 0, 1, 9]),
    information: [6],
  },
  hevc: {
    format: 'hevc',
    encoding: ['-c:v', 'libx265', '-preset', 'ultrafast', '-x265-params', 'log-level=none:bframes=0:aud=1'],
    delimiter: Buffer.from([0, 0, 0, 1, 0x46, 1]),
    information: [0x4e, 1],
  },
};

/** A command, which is sent twice. */
export function command(first: number, second: number): Pair[] {
  return [
    [first, second],
    [first, second],
  ];
}

export function characters(text: string): Pair[] {
  const codes = [...text].map((one) => one.charCodeAt(0));
  return Array.from({ length: Math.ceil(codes.length / 2) }, (_, index) => [
    codes[2 * index] ?? 0,
    codes[2 * index + 1] ?? 0,
  ]);
}

/** A caption in the bottom row that appears completely with its last command. `first`: 0x14; for field 2, 0x15. */
export function popOn(text: string, first = 0x14): Pair[] {
  return [
    ...[...command(first, 0x20), ...command(first, 0x2e), ...command(0x14, 0x70)],
    ...[...characters(text), ...command(first, 0x2f)],
  ];
}

export function pause(frames: number): Pair[] {
  return Array.from({ length: frames }, () => [0, 0]);
}

/** The user data of a frame (ATSC A/53): one pair per field. */
export function captionUserData(pairs: readonly (Pair | undefined)[]): Buffer {
  const triples = pairs.flatMap((pair, field) => [0xfc | field, ...(pair ?? [0, 0]).map(withParity)]);
  return Buffer.from([...Buffer.from('GA94'), 3, 0xc0 | pairs.length, 0xff, ...triples, 0xff]);
}

/** A NAL unit with the captions of a frame, without length or start code. Default: for H.264. */
export function captionUnit(pairs: readonly (Pair | undefined)[], { information } = codecs.h264): Buffer {
  const data = captionUserData(pairs);
  return Buffer.from([...information, 4, data.length + 3, 0xb5, 0, 0x31, ...data, 0x80]);
}

function withParity(byte: number): number {
  const ones = [...byte.toString(2)].filter((bit) => bit === '1').length;
  return ones % 2 === 1 ? byte : byte | 0x80;
}

export interface CaptionedClip {
  readonly extension: string;
  /** One pair per frame, at 25 frames per second. */
  readonly field1: readonly Pair[];
  readonly field2?: readonly Pair[];
  readonly seconds?: number;
  readonly codec?: keyof typeof codecs;
  /** Encoding of the video with captions. Default: copied. */
  readonly video?: readonly string[];
}

/** An ffmpeg clip with closed captions and a tone. */
export async function captionedClip(clip: CaptionedClip): Promise<Buffer> {
  const { extension, field1, field2 = [], seconds = 4, codec = 'h264', video = ['-c:v', 'copy'] } = clip;
  const coded = codecs[codec];
  const folder = await mkdtemp(join(tmpdir(), 'captioned-'));
  try {
    const [plain, captioned, muxed] = [join(folder, 'plain'), join(folder, 'captioned'), join(folder, 'muxed')];
    await runTool('ffmpeg', [
      ...['-f', 'lavfi', '-i', `testsrc2=s=320x180:r=25:d=${seconds}`, ...coded.encoding],
      ...['-g', '50', '-pix_fmt', 'yuv420p', '-f', coded.format, plain],
    ]);
    await writeFile(captioned, withCaptions(await readFile(plain), coded, [field1, field2]));
    await runTool('ffmpeg', [
      ...['-framerate', '25', '-f', coded.format, '-i', captioned, '-f', 'lavfi', '-i', `sine=d=${seconds}`],
      ...['-c:a', 'aac', ...video, `${muxed}.${extension}`],
    ]);
    return await readFile(`${muxed}.${extension}`);
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** Inserts captions after each access unit delimiter of a stream. */
function withCaptions(stream: Buffer, coded: CaptionedCodec, fields: readonly (readonly Pair[])[]): Buffer {
  const parts: Buffer[] = [];
  let from = 0;
  let at = stream.indexOf(coded.delimiter);
  for (let frame = 0; at >= 0; frame += 1) {
    const end = at + coded.delimiter.length + 1;
    const unit = captionUnit(
      fields.map((field) => field[frame]),
      coded,
    );
    parts.push(stream.subarray(from, end), Buffer.from([0, 0, 0, 1]), unit);
    from = end;
    at = stream.indexOf(coded.delimiter, end);
  }
  return Buffer.concat([...parts, stream.subarray(from)]);
}
