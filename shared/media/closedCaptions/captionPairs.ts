import { withoutEmulationPrevention } from '../bitReader.js';

/*
 * Closed captions in video: each frame carries them in ATSC A/53 user data. In H.264 and HEVC the user data are supplemental
 * enhancement information (SEI), in MPEG-2 user data of the picture. CEA-608 has two bytes per field; CEA-708 uses the same user
 * data.
 */

/** Two bytes of CEA-608, without their parity bits. */
export interface CaptionPair {
  readonly field: 1 | 2;
  readonly first: number;
  readonly second: number;
}

/** The closed captions of one frame. */
export interface FrameCaptions {
  /** Without padding. */
  readonly pairs: readonly CaptionPair[];
  /** Whether a CEA-708 service has text or commands in this frame. */
  readonly hasDigitalService: boolean;
}

/**
 * Country, provider and identifier of the user data in SEI (ITU-T T.35, ATSC A/53 part 4). No byte in them needs emulation
 * prevention.
 */
const registered = Buffer.from([0xb5, 0x00, 0x31, 0x47, 0x41, 0x39, 0x34]);
const identifierBytes = 4;
/** Identifier and type of caption user data, in all codecs. */
const captionData = Buffer.from([0x47, 0x41, 0x39, 0x34, 0x03]);
/** 31 triples with flags, and up to one byte of emulation prevention for every two bytes. */
const maxCaptionBytes = 150;
/** Each field of a frame may have caption data of its own. */
const maxOfFrame = 8;
/**
 * Encoders write a few SEI units before a frame. Without a limit, searching a frame made of SEI units would cost more than
 * sending it.
 */
const maxInformationUnits = 64;
const additionalInformation = 6;
const [validFlag, digitalStart] = [0x04, 3];

/** The captions in the SEI or user data of a frame. `information`: as stored in the stream, with emulation prevention. */
export function frameCaptionsIn(information: Buffer): FrameCaptions {
  const pairs: CaptionPair[] = [];
  let hasDigitalService = false;
  let at = information.indexOf(captionData);
  for (let found = 0; at >= 0 && found < maxOfFrame; found += 1) {
    const from = at + captionData.length;
    const [flags = 0, , ...triples] = withoutEmulationPrevention(information.subarray(from, from + maxCaptionBytes));
    const count = flags & 0x40 ? flags & 0x1f : 0;
    for (let index = 0; index < count; index += 1) {
      const [marker = 0, first = 0, second = 0] = triples.slice(index * 3, index * 3 + 3);
      if (!(marker & validFlag)) continue;
      const type = marker & 3;
      // A block header follows the packet header: service number and block size.
      if (type === digitalStart) hasDigitalService ||= second >> 5 > 0 && (second & 0x1f) > 0;
      const pair = { first: first & 0x7f, second: second & 0x7f };
      if (type < 2 && (pair.first > 0 || pair.second > 0)) pairs.push({ field: type === 0 ? 1 : 2, ...pair });
    }
    at = information.indexOf(captionData, from);
  }
  return { pairs, hasDigitalService };
}

/** The captions of an H.264 frame, whose NAL units are length-prefixed. */
export function captionsOfFrame(frame: Buffer, lengthBytes: number): FrameCaptions[] {
  return [...informationUnits(frame, lengthBytes)].map(frameCaptionsIn);
}

/**
 * Hides the closed captions of an H.264 frame from players, in place, by overwriting the identifier of their user data. All sizes
 * and other SEI messages, such as recovery points, are unchanged.
 */
export function hideClosedCaptions(frame: Buffer, lengthBytes: number): void {
  for (const unit of informationUnits(frame, lengthBytes))
    for (let at = unit.indexOf(registered); at >= 0; at = unit.indexOf(registered, at + 1)) {
      const end = at + registered.length;
      unit.fill(0xff, end - identifierBytes, end);
    }
}

function* informationUnits(frame: Buffer, lengthBytes: number): Generator<Buffer> {
  for (let at = 0, found = 0; at + lengthBytes < frame.length && found < maxInformationUnits;) {
    const start = at + lengthBytes;
    const end = start + frame.readUIntBE(at, lengthBytes);
    if (((frame[start] as number) & 0x1f) === additionalInformation) {
      found += 1;
      yield frame.subarray(start, end);
    }
    at = end;
  }
}
