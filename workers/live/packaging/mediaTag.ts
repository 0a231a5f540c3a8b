import { isMonoAac } from '../../../shared/media/aac/index.js';
import { readAvcConfiguration, type AvcDescription } from '../../../shared/media/avc/index.js';
import { flvTagType, readAudioHead, readVideoHead, type FlvTag } from '../../../shared/media/flv/index.js';
import type { RunTimeline } from './runTimeline.js';

/** The decoder configuration of a track. Each configuration is one object, so that a change is an inequality. */
export interface VideoTrack {
  /** Payload of the tag that configures a decoder. */
  readonly configuration: Buffer;
  readonly avc: AvcDescription;
}

export interface AudioTrack {
  /** The tag that configures a decoder; null for MP3, which needs none. */
  readonly configuration: Buffer | null;
  /** According to the configuration or the first packet. */
  readonly isMono: boolean;
}

interface TimedTag {
  /** Decoding time on the run's own timeline, which begins with its first media. */
  readonly timeMs: number;
  readonly presentationMs: number;
  /** Counts the jumps of the encoder's timestamps. */
  readonly epoch: number;
  readonly payload: Buffer;
  /** Memory of the payload, of its objects, and of the configuration that precedes it. */
  readonly bytes: number;
}

export interface VideoTag extends TimedTag {
  readonly kind: 'video';
  readonly track: VideoTrack;
  /** Decoding can begin here. */
  readonly isKeyframe: boolean;
  /** An IDR picture: no later frame refers to an earlier one, so a segment can begin here without encoding. */
  readonly isRefresh: boolean;
}

export interface AudioTag extends TimedTag {
  readonly kind: 'audio';
  readonly track: AudioTrack;
}

export type MediaTag = VideoTag | AudioTag;

/** Media that cannot be packaged. The message is a sentence for the owner of the stream. */
export class UnsupportedMediaError extends Error {}

/** A larger delay from decoding to presentation is damage, and would make a decoder wait. */
const maxCompositionMs = 5_000;
/** Memory of a tag's objects. A payload may have only three bytes. */
const tagOverheadBytes = 512;
/** H.264 parameter sets have a few hundred bytes, an AAC configuration fewer. */
const maxConfigurationBytes = 16 * 1024;
/** Maximum of units that may precede an IDR picture. */
const searchedUnits = 100;

/** Maximum pixels of a decoded frame. */
export const maxPixels = 4096 * 2304;

/** Converts the tags of an FLV stream to media on the run's timeline. Media before its configuration is dropped. */
export class MediaTagReader {
  #video: VideoTrack | null = null;
  #audio: AudioTrack | null = null;
  #audioFormat = -1;
  /** Tracks whose configuration has been counted. */
  readonly #counted = new Map<MediaTag['kind'], VideoTrack | AudioTrack>();

  constructor(private readonly timeline: RunTimeline) {}

  /** Null for a tag without media. Throws UnsupportedMediaError. */
  read(tag: FlvTag): MediaTag | null {
    if (tag.type === flvTagType.video) return this.#readVideo(tag);
    if (tag.type === flvTagType.audio) return this.#readAudio(tag);
    return null;
  }

  #readVideo({ payload: received, timestampMs }: FlvTag): VideoTag | null {
    const head = readVideoHead(received);
    if (!head) return null;
    if (!head.isSupported) throw new UnsupportedMediaError('the video of the encoder is not H.264');
    if (head.isConfiguration) this.#video = videoTrack(received, this.#video);
    if (head.isConfiguration || !this.#video || Math.abs(head.compositionMs) > maxCompositionMs) return null;
    const { isKeyframe } = head;
    const payload = withoutBlock(received);
    const { timeMs, epoch } = this.timeline.place(timestampMs);
    return {
      ...{ kind: 'video', track: this.#video, timeMs, epoch, payload, isKeyframe },
      bytes: this.#bytesOf('video', payload, this.#video),
      presentationMs: timeMs + head.compositionMs,
      isRefresh: isKeyframe && hasRefresh(payload.subarray(5), this.#video.avc.lengthBytes),
    };
  }

  #readAudio({ payload: received, timestampMs }: FlvTag): AudioTag | null {
    const head = readAudioHead(received);
    if (!head) return null;
    if (!head.isSupported) throw new UnsupportedMediaError('the audio of the encoder is neither AAC nor MP3');
    const isAac = head.codec === 'AAC';
    const format = isAac ? -1 : (received[0] as number);
    if (head.isConfiguration) this.#audio = audioTrack(received, this.#audio);
    else if (!isAac && format !== this.#audioFormat) this.#audio = { configuration: null, isMono: isMonoMp3(received) };
    this.#audioFormat = format;
    if (head.isConfiguration || !this.#audio || received.length < 3) return null;
    const payload = withoutBlock(received);
    const { timeMs, epoch } = this.timeline.place(timestampMs);
    const bytes = this.#bytesOf('audio', payload, this.#audio);
    return { kind: 'audio', track: this.#audio, timeMs, presentationMs: timeMs, epoch, payload, bytes };
  }

  #bytesOf(kind: MediaTag['kind'], payload: Buffer, track: VideoTrack | AudioTrack): number {
    const isCounted = this.#counted.get(kind) === track;
    this.#counted.set(kind, track);
    return tagOverheadBytes + payload.length + (isCounted ? 0 : (track.configuration?.length ?? 0));
  }
}

/** Copies a payload that is a small slice of a larger buffer, because a slice keeps the complete buffer in memory. */
export function withoutBlock(payload: Buffer): Buffer {
  if (2 * payload.length >= payload.buffer.byteLength) return payload;
  const own = Buffer.allocUnsafeSlow(payload.length);
  payload.copy(own);
  return own;
}

/** Returns the same object if the encoder repeats its configuration. */
function videoTrack(payload: Buffer, known: VideoTrack | null): VideoTrack {
  if (known?.configuration.equals(payload)) return known;
  assertShort(payload, 'H.264');
  const avc = readAvcConfiguration(payload.subarray(5));
  if (!avc || avc.width < 16 || avc.height < 16)
    throw new UnsupportedMediaError('the H.264 configuration of the encoder is damaged');
  if (avc.width * avc.height > maxPixels)
    throw new UnsupportedMediaError(`the video has ${avc.width} x ${avc.height} pixels, which is too large`);
  return { configuration: Buffer.from(payload), avc };
}

function audioTrack(payload: Buffer, known: AudioTrack | null): AudioTrack {
  if (known?.configuration?.equals(payload)) return known;
  assertShort(payload, 'AAC');
  return { configuration: Buffer.from(payload), isMono: isMonoAac(payload.subarray(2)) };
}

/** Reads the header of the MPEG audio frame (ISO 11172-3) after the first byte of the tag. */
function isMonoMp3(payload: Buffer): boolean {
  return payload[1] === 0xff && (payload[4] ?? 0) >> 6 === 3;
}

function assertShort(configuration: Buffer, codec: string): void {
  if (configuration.length > maxConfigurationBytes)
    throw new UnsupportedMediaError(`the ${codec} configuration of the encoder is damaged`);
}

const refreshUnit = 5;

/** Whether length-prefixed NAL units contain an IDR picture. */
function hasRefresh(units: Buffer, lengthBytes: number): boolean {
  let at = 0;
  for (let count = 0; count < searchedUnits && at + lengthBytes < units.length; count += 1) {
    if (((units[at + lengthBytes] as number) & 0x1f) === refreshUnit) return true;
    at += lengthBytes + units.readUIntBE(at, lengthBytes);
  }
  return false;
}
