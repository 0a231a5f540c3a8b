/** What the first bytes of an audio or video message say. */
export interface MediaTag {
  /** For messages: `H.264`. */
  readonly codec: string;
  readonly isSupported: boolean;
  /** Decoder configuration: AVC or AAC sequence header. */
  readonly isConfiguration: boolean;
  readonly isKeyframe: boolean;
  /** An additional track of enhanced RTMP, beside the usual one. */
  readonly isAdditionalTrack: boolean;
}

const videoCodecs: Readonly<Record<number, string>> = {
  2: 'Sorenson H.263',
  3: 'Screen Video',
  4: 'VP6',
  5: 'VP6 with alpha',
  6: 'Screen Video 2',
  7: 'H.264',
  12: 'H.265 (HEVC)',
  13: 'AV1',
};

const audioCodecs: Readonly<Record<number, string>> = {
  0: 'PCM',
  1: 'ADPCM',
  2: 'MP3',
  3: 'PCM',
  4: 'Nellymoser',
  5: 'Nellymoser',
  6: 'Nellymoser',
  7: 'G.711 A-law',
  8: 'G.711 mu-law',
  10: 'AAC',
  11: 'Speex',
  13: 'Opus',
  14: 'MP3',
};

/** FourCC of enhanced RTMP. */
const enhancedCodecs: Readonly<Record<string, string>> = {
  avc1: 'H.264 (enhanced RTMP)',
  hvc1: 'H.265 (HEVC)',
  vvc1: 'H.266 (VVC)',
  av01: 'AV1',
  vp08: 'VP8',
  vp09: 'VP9',
  Opus: 'Opus',
  fLaC: 'FLAC',
  'ac-3': 'AC-3',
  'ec-3': 'E-AC-3',
  '.mp3': 'MP3 (enhanced RTMP)',
  mp4a: 'AAC (enhanced RTMP)',
};

const h264 = 7;
/** The packet type behind the last frame of H.264. The publication may go on after it. */
const endOfSequence = 2;
const aac = 10;
const mp3 = [2, 14];
const enhancedAudio = 9;
const multitrackVideo = 6;
const multitrackAudio = 5;
/** Frame type 5 is a command for a player, without media. */
const commandFrame = 5;

/** Reads a video message; null for one without media. Supported is H.264 as FLV has it. */
function readVideoTag(payload: Buffer): MediaTag | null {
  const first = payload[0];
  if (first === undefined) return null;
  const isEnhanced = (first & 0x80) !== 0;
  const frameType = (first >> 4) & 7;
  if (isEnhanced) return enhancedTag(payload, (first & 0x0f) === multitrackVideo);
  if (frameType === commandFrame) return null;
  const codec = first & 0x0f;
  const isSupported = codec === h264;
  if (isSupported && (payload.length < 5 || payload[1] === endOfSequence)) return null;
  return {
    codec: videoCodecs[codec] ?? 'an unknown codec',
    isSupported,
    isConfiguration: isSupported && payload[1] === 0,
    isKeyframe: frameType === 1,
    isAdditionalTrack: false,
  };
}

/** Reads an audio message; null for one without media. Supported are AAC and MP3 as FLV has them. */
function readAudioTag(payload: Buffer): MediaTag | null {
  const first = payload[0];
  if (first === undefined) return null;
  const codec = first >> 4;
  if (codec === enhancedAudio) return enhancedTag(payload, (first & 0x0f) === multitrackAudio);
  if (codec === aac && payload.length < 3) return null;
  return {
    codec: audioCodecs[codec] ?? 'an unknown codec',
    isSupported: codec === aac || mp3.includes(codec),
    isConfiguration: codec === aac && payload[1] === 0,
    isKeyframe: codec !== aac,
    isAdditionalTrack: false,
  };
}

function enhancedTag(payload: Buffer, isAdditionalTrack: boolean): MediaTag {
  // A multitrack message has one byte more before its codec.
  const at = isAdditionalTrack ? 2 : 1;
  return {
    codec: enhancedCodecs[payload.toString('latin1', at, at + 4)] ?? 'an unknown codec',
    isSupported: false,
    isConfiguration: false,
    isKeyframe: false,
    isAdditionalTrack,
  };
}

/**
 * What to do with a message of one track: write it, drop its media, ignore it because it has none, or end the publication
 * because of its codec.
 */
export type TrackDecision = 'configuration' | 'media' | 'drop' | 'ignore' | { readonly unsupported: string };

/** Follows one track from its start: its configuration first, then a keyframe, then everything. */
export class EncoderTrack {
  #hasConfiguration = false;
  #hasStarted = false;
  #codec: string | null = null;

  constructor(private readonly kind: 'audio' | 'video') {}

  /** Null until the first supported message. */
  get codec(): string | null {
    return this.#codec;
  }

  decide(payload: Buffer): TrackDecision {
    const tag = this.kind === 'video' ? readVideoTag(payload) : readAudioTag(payload);
    if (!tag) return 'ignore';
    if (tag.isAdditionalTrack && this.#codec !== null) return 'drop';
    if (!tag.isSupported) return { unsupported: `${this.kind} ${tag.codec}` };
    this.#codec = tag.codec;
    if (tag.isConfiguration) {
      this.#hasConfiguration = true;
      return 'configuration';
    }
    // MP3 has no configuration; frames of AAC are all alike.
    const needsConfiguration = this.kind === 'video' || tag.codec === 'AAC';
    if (needsConfiguration && !this.#hasConfiguration) return 'drop';
    if (this.kind === 'video' && !tag.isKeyframe && !this.#hasStarted) return 'drop';
    this.#hasStarted = true;
    return 'media';
  }
}
