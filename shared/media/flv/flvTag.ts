/** One tag of an FLV stream. RTMP messages have the same types and payloads. */
export interface FlvTag {
  readonly type: number;
  /** 32 bits; wraps around. */
  readonly timestampMs: number;
  readonly payload: Buffer;
}

export const flvTagType = { audio: 8, video: 9, script: 18 } as const;

/** Codec and flags from the first bytes of an audio or video tag. */
export interface FlvTagHead {
  /** Display name for messages: `H.264`. */
  readonly codec: string;
  readonly isSupported: boolean;
  /** Decoder configuration: AVC or AAC sequence header. */
  readonly isConfiguration: boolean;
  readonly isKeyframe: boolean;
  /** From decoding to presentation, in milliseconds. */
  readonly compositionMs: number;
  /** Belongs to an additional track of enhanced RTMP. */
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
/** The packet type of media; 0 is a configuration. Other types carry no media, such as the end of a sequence. */
const mediaPacket = 1;
const aac = 10;
const mp3 = [2, 14];
const enhancedAudio = 9;
const multitrackVideo = 6;
const multitrackAudio = 5;
/** Frame type 5 is a command for a player, without media. */
const commandFrame = 5;

/** Reads the head of a video tag; null if the tag contains no media. Only H.264 in classic FLV is supported. */
export function readVideoHead(payload: Buffer): FlvTagHead | null {
  const first = payload[0];
  if (first === undefined) return null;
  const isEnhanced = (first & 0x80) !== 0;
  const frameType = (first >> 4) & 7;
  if (isEnhanced) return enhancedHead(payload, (first & 0x0f) === multitrackVideo);
  if (frameType === commandFrame) return null;
  const codec = first & 0x0f;
  const isSupported = codec === h264;
  if (isSupported && (payload.length < 5 || (payload[1] as number) > mediaPacket)) return null;
  return {
    codec: videoCodecs[codec] ?? 'an unknown codec',
    isSupported,
    isConfiguration: isSupported && payload[1] === 0,
    isKeyframe: frameType === 1,
    compositionMs: isSupported ? payload.readIntBE(2, 3) : 0,
    isAdditionalTrack: false,
  };
}

/** Reads the head of an audio tag; null if the tag contains no media. Only AAC and MP3 in classic FLV are supported. */
export function readAudioHead(payload: Buffer): FlvTagHead | null {
  const first = payload[0];
  if (first === undefined) return null;
  const codec = first >> 4;
  if (codec === enhancedAudio) return enhancedHead(payload, (first & 0x0f) === multitrackAudio);
  if (codec === aac && (payload.length < 3 || (payload[1] as number) > mediaPacket)) return null;
  return {
    codec: audioCodecs[codec] ?? 'an unknown codec',
    isSupported: codec === aac || mp3.includes(codec),
    isConfiguration: codec === aac && payload[1] === 0,
    isKeyframe: codec !== aac,
    compositionMs: 0,
    isAdditionalTrack: false,
  };
}

function enhancedHead(payload: Buffer, isAdditionalTrack: boolean): FlvTagHead {
  // A multitrack message has one more byte before its codec.
  const at = isAdditionalTrack ? 2 : 1;
  return {
    codec: enhancedCodecs[payload.toString('latin1', at, at + 4)] ?? 'an unknown codec',
    isSupported: false,
    isConfiguration: false,
    isKeyframe: false,
    compositionMs: 0,
    isAdditionalTrack,
  };
}
