import { findBox, needBox } from './isoBox.js';
import type { MovieTrack } from './movieBox.js';
import { RunLengths, tableLength } from './sampleTables.js';

/** Iterates over the chunks of a track. The samples of a chunk are contiguous in the file. */
export class ChunkCursor {
  /** Decoding times of the first and the last sample of the chunk, and the end of the last one. */
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

  /** Offset of the chunk in the file. */
  get offset(): number {
    const at = this.#offsets.at + this.#chunk * this.#offsets.bytes;
    return this.#offsets.bytes === 4 ? this.moov.readUInt32BE(at) : Number(this.moov.readBigUInt64BE(at));
  }

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
    // The table has more chunks than samples.
    if (!Number.isFinite(this.#endTick)) this.#chunk = this.#offsets.count;
  }

  /** Infinity after the last entry. */
  #firstChunkOf(run: number): number {
    const isThere = run < this.#runs.count;
    return isThere ? this.moov.readUInt32BE(this.#runs.at + 12 * run) - 1 : Number.POSITIVE_INFINITY;
  }
}
