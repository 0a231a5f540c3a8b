import { setImmediate as nextTurn } from 'node:timers/promises';
import { findBox, needBox } from '../../../shared/media/mp4/isoBox.js';
import type { MovieTrack } from './movieBox.js';
import { entriesAtOnce, RunLengths, tableLength } from './sampleRuns.js';

/** ffmpeg reads in the order of the file, unless one track is ahead of the other by more than this. */
const aheadSeconds = 1;
/** Media that ffmpeg would not read in the order of the file. For each second of them it seeks. */
const mostFarSeconds = 16;

/**
 * Whether ffmpeg reads video and audio of an MP4 about in the order of the file. Where it does not, for example because all of
 * the audio is behind all of the video, each seek would be a request to the object store. Throws DamagedMediaError.
 */
export async function isInterleaved(moov: Buffer, video: MovieTrack, audio: MovieTrack | null): Promise<boolean> {
  if (!audio) return true;
  const tracks = [new ChunkCursor(moov, video), new ChunkCursor(moov, audio)] as const;
  let farSeconds = 0;
  for (let chunk = 1; farSeconds <= mostFarSeconds; chunk += 1) {
    const [first, second] = tracks;
    if (first.isAtEnd || second.isAtEnd) return true;
    const [next, other] = first.offset < second.offset ? [first, second] : [second, first];
    const limit = other.startSeconds + aheadSeconds;
    if (next.lastSeconds > limit) farSeconds += next.endSeconds - Math.max(next.startSeconds, limit);
    next.advance();
    if (chunk % entriesAtOnce === 0) await nextTurn();
  }
  return false;
}

/** Goes through the chunks of a track: samples that follow each other in the file. */
class ChunkCursor {
  /** Decoding times of the first and the last sample of the chunk, and its end. */
  startSeconds = 0;
  lastSeconds = 0;
  endSeconds = 0;
  #chunk = -1;
  #run = -1;
  #endTick = 0;
  readonly #steps: RunLengths;
  readonly #offsets;
  readonly #runs;

  constructor(
    private readonly moov: Buffer,
    private readonly track: MovieTrack,
  ) {
    const { stbl } = track;
    this.#steps = new RunLengths(moov, needBox(moov, stbl, 'stts'));
    const short = findBox(moov, stbl, 'stco');
    const box = short ?? needBox(moov, stbl, 'co64');
    const bytes = short ? 4 : 8;
    this.#offsets = { at: box.start + 8, bytes, count: tableLength(moov, box, 4, bytes) };
    const runs = needBox(moov, stbl, 'stsc');
    this.#runs = { at: runs.start + 8, count: tableLength(moov, runs, 4, 12) };
    this.advance();
  }

  get isAtEnd(): boolean {
    return this.#chunk >= this.#offsets.count;
  }

  /** Where the chunk is in the file. */
  get offset(): number {
    const at = this.#offsets.at + this.#chunk * this.#offsets.bytes;
    return this.#offsets.bytes === 4 ? this.moov.readUInt32BE(at) : Number(this.moov.readBigUInt64BE(at));
  }

  /** Goes to the next chunk. */
  advance(): void {
    this.#chunk += 1;
    if (this.isAtEnd) return;
    while (this.#firstChunkOf(this.#run + 1) <= this.#chunk) this.#run += 1;
    const samples = this.#run < 0 ? 0 : this.moov.readUInt32BE(this.#runs.at + 12 * this.#run + 4);
    const { timescale } = this.track;
    const lastTick = this.#endTick + this.#steps.sumOf(samples - 1);
    this.startSeconds = this.#endTick / timescale;
    this.lastSeconds = lastTick / timescale;
    this.#endTick = lastTick + (samples > 0 ? this.#steps.next() : 0);
    this.endSeconds = this.#endTick / timescale;
    // More chunks than samples.
    if (!Number.isFinite(this.#endTick)) this.#chunk = this.#offsets.count;
  }

  /** Infinity behind the last entry. */
  #firstChunkOf(run: number): number {
    const isThere = run < this.#runs.count;
    return isThere ? this.moov.readUInt32BE(this.#runs.at + 12 * run) - 1 : Number.POSITIVE_INFINITY;
  }
}
