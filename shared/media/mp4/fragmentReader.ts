import { fragmentsIn } from './fragments.js';
import { codecsOf, stripBitrateHints } from './initialisation.js';
import { DamagedMediaError } from './isoBox.js';
import { readMp4Tracks, type Mp4Track } from './tracks.js';

/** A box `moof` with its media, and the boxes in front of it. */
export interface Fragment {
  readonly data: readonly Buffer[];
  readonly bytes: number;
  /** Null if it contains no video. Seconds on the rendition's own timeline. */
  readonly video: {
    readonly startSeconds: number;
    readonly durationSeconds: number;
    /** End of the frame that is presented last: later than start plus duration if frames before it are missing. */
    readonly presentationEndSeconds: number;
    readonly isKeyframe: boolean;
  } | null;
}

/** The initialisation segment of a rendition. */
export interface Initialisation {
  readonly data: Buffer;
  /** RFC 6381. */
  readonly codecs: string;
  readonly tracks: readonly Mp4Track[];
}

const headerBytes = 8;
/** Half a second at 500 Mbit/s. */
const usualBoxBytes = 32 * 1024 ** 2;

const allocateOnce = (bytes: number): Buffer => Buffer.allocUnsafe(bytes);

/** Limits and memory of a reader. */
export interface FragmentReaderOptions {
  readonly maxBoxBytes?: number;
  /** Allocates memory for media. The caller may reuse it after storing the fragment. */
  readonly allocate?: (bytes: number) => Buffer;
  /** Returns the `CODECS` attribute. Default: of H.264, with or without AAC. */
  readonly codecsOf?: (initialisation: Buffer) => string;
}

/** Divides the fragmented MP4 that ffmpeg writes to a pipe. Keeps one unfinished fragment in memory. */
export class FragmentReader {
  readonly #header = Buffer.alloc(headerBytes);
  /** The box that is being read, and the number of bytes read. Null while its header is read. */
  #box: Buffer | null = null;
  #filled = 0;
  /** The boxes read of the current fragment or initialisation segment. */
  #boxes: Buffer[] = [];
  #moof: Buffer | null = null;
  #video: Mp4Track | undefined;
  readonly #maxBoxBytes: number;
  readonly #allocate: (bytes: number) => Buffer;
  readonly #codecsOf: (initialisation: Buffer) => string;
  initialisation: Initialisation | null = null;

  constructor({
    maxBoxBytes = usualBoxBytes,
    allocate = allocateOnce,
    codecsOf: readCodecs = codecsOf,
  }: FragmentReaderOptions = {}) {
    this.#maxBoxBytes = maxBoxBytes;
    this.#allocate = allocate;
    this.#codecsOf = readCodecs;
  }

  /** Throws if boxes are damaged or too large. */
  push(block: Buffer): Fragment[] {
    const fragments: Fragment[] = [];
    for (let at = 0; at < block.length;) {
      const target = this.#box ?? this.#header;
      const copied = block.copy(target, this.#filled, at);
      at += copied;
      this.#filled += copied;
      if (this.#filled === target.length) {
        const fragment = this.#filledUp();
        if (fragment) fragments.push(fragment);
      }
    }
    return fragments;
  }

  /** Called when the header of a box, or a complete box, has been read. */
  #filledUp(): Fragment | null {
    if (!this.#box) {
      const size = this.#header.readUInt32BE(0);
      if (size < headerBytes || size > this.#maxBoxBytes) throw new DamagedMediaError(`MP4 box of ${size} bytes`);
      const isMedia = this.#header.toString('latin1', 4, 8) === 'mdat';
      this.#box = isMedia ? this.#allocate(size) : Buffer.allocUnsafe(size);
      this.#header.copy(this.#box);
      if (size > headerBytes) return null;
    }
    const box = this.#box;
    this.#box = null;
    this.#filled = 0;
    return this.#take(box);
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
    const tracks = readMp4Tracks(constant);
    this.initialisation = { data: constant, codecs: this.#codecsOf(constant), tracks };
    this.#video = tracks.find(({ kind }) => kind === 'video');
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
    const presentationEndSeconds = part.presentationEnd / track.timescale;
    const times = { startSeconds, durationSeconds, presentationEndSeconds };
    return { data, bytes, video: { ...times, isKeyframe: part.startsWithSync } };
  }
}
