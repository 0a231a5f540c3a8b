import { codecsOf, fragmentsIn, readTracks, stripBitrateHints, type Track } from './boxes.js';

/** A box `moof` with its media, and what is written in front of it. */
export interface Fragment {
  readonly data: readonly Buffer[];
  readonly bytes: number;
  /** Null where it contains no video. Seconds of the rendition's own timeline. */
  readonly video: {
    readonly startSeconds: number;
    readonly durationSeconds: number;
    readonly isKeyframe: boolean;
  } | null;
}

/** The initialisation segment of a rendition. */
export interface Initialisation {
  readonly data: Buffer;
  /** RFC 6381. */
  readonly codecs: string;
}

const headerBytes = 8;
/** Half a second at 500 Mbit/s. */
const usualBoxBytes = 32 * 1024 ** 2;

/** Divides the fragmented MP4 that ffmpeg writes to a pipe. Keeps one unfinished fragment in memory. */
export class FragmentReader {
  #blocks: Buffer[] = [];
  #bytes = 0;
  #needed = headerBytes;
  /** Boxes of the fragment, or of the initialisation segment, that is being read. */
  #boxes: Buffer[] = [];
  #moof: Buffer | null = null;
  #video: Track | undefined;
  initialisation: Initialisation | null = null;

  constructor(private readonly maximumBoxBytes = usualBoxBytes) {}

  /** Throws where the boxes are damaged or too large. */
  push(block: Buffer): Fragment[] {
    this.#blocks.push(block);
    this.#bytes += block.length;
    if (this.#bytes < this.#needed) return [];
    const buffer = this.#blocks.length === 1 ? block : Buffer.concat(this.#blocks);
    const fragments: Fragment[] = [];
    let at = 0;
    this.#needed = headerBytes;
    while (at + headerBytes <= buffer.length) {
      const size = buffer.readUInt32BE(at);
      if (size < headerBytes || size > this.maximumBoxBytes) throw new Error(`MP4 box of ${size} bytes`);
      if (at + size > buffer.length) {
        this.#needed = size;
        break;
      }
      const fragment = this.#take(buffer.subarray(at, at + size));
      if (fragment) fragments.push(fragment);
      at += size;
    }
    const rest = buffer.subarray(at);
    this.#blocks = [rest];
    this.#bytes = rest.length;
    return fragments;
  }

  #take(box: Buffer): Fragment | null {
    const type = box.toString('latin1', 4, 8);
    this.#boxes.push(box);
    if (type === 'moov') this.#initialise(Buffer.concat(this.#boxes));
    if (type === 'moof') this.#moof = box;
    if (type !== 'mdat' || !this.#moof) return null;
    const fragment = this.#fragment(this.#moof);
    this.#boxes = [];
    this.#moof = null;
    return fragment;
  }

  #initialise(data: Buffer): void {
    const constant = stripBitrateHints(data);
    this.initialisation = { data: constant, codecs: codecsOf(constant) };
    this.#video = readTracks(constant).find(({ kind }) => kind === 'video');
    this.#boxes = [];
  }

  #fragment(moof: Buffer): Fragment {
    const data = this.#boxes;
    const bytes = data.reduce((sum, { length }) => sum + length, 0);
    const track = this.#video;
    const part = fragmentsIn(moof).find(({ track: id, samples }) => id === track?.id && samples > 0);
    if (!track || !part) return { data, bytes, video: null };
    const startSeconds = part.presentationTime / track.timescale;
    const durationSeconds = part.duration / track.timescale;
    return { data, bytes, video: { startSeconds, durationSeconds, isKeyframe: part.startsWithSync } };
  }
}
