import type { Content } from '../../../shared/content/content.model.js';
import { showGrowing } from '../../../shared/content/generation.lifecycle.js';
import type { PlaylistOptions, PlaylistRendition } from '../../../shared/content/playlists.js';
import { copiedFolder, generationFolder, previewFolder, segmentName } from '../../../shared/content/storageKeys.js';
import { leaseSeconds } from '../../../shared/platform/lease.js';
import type { Initialisation } from '../../../shared/media/mp4/fragmentReader.js';
import { LeaseLostError } from '../../../shared/platform/lease.js';
import type { MediaRun } from '../../media/runner.js';
import { writePlaylists } from '../../content/writePlaylists.js';
import type { WorkerContext } from '../../runtime/workerContext.js';
import { createUploads } from '../../runtime/uploads.js';
import type { Copied } from '../commitCopied.js';
import { previewCount } from '../previewCount.js';
import type { CopiedSegment } from './copiedSegments.js';
import { CopyError } from './copyRefusal.js';
import { GrowingList } from './growingList.js';
import type { VideoIndex } from './packetIndex.js';

/** Segments that wait to be stored; then ffmpeg waits. */
const mostWaitingBytes = 24 * 1024 ** 2;
const contentType = 'video/mp4';

/** The rendition that the copy makes. */
export interface CopiedRendition {
  /** `1080p`: the shorter side. */
  readonly name: string;
  readonly width: number;
  readonly height: number;
  readonly index: VideoIndex;
}

/** Everything that a copy has stored. */
export type StoredCopy = Pick<Copied, 'bytes'> & { readonly chunk: Copied['chunks'][number] };

/**
 * Stores the segments of a copy while they are made, and lists that grow, so that the owner can watch. Where the owner watches
 * what an attempt before has stored, no list changes until all is stored.
 */
export class CopyStore {
  readonly #uploads;
  readonly #list: GrowingList;
  readonly #sizes: number[] = [];
  readonly #waiting = new Set<Promise<void>>();
  #waitingBytes = 0;
  #init: { readonly key: string; readonly bytes: number; readonly codecs: string } | null = null;

  constructor(
    private readonly ctx: WorkerContext,
    private readonly content: Content,
    private readonly rendition: CopiedRendition,
    private readonly run: MediaRun,
    /** Whether the lease of ingestion is still held. */
    private readonly isHeld: () => Promise<boolean>,
  ) {
    this.#uploads = createUploads(ctx, run.signal);
    this.#list = new GrowingList((count) => this.#show(count));
  }

  /** Resolves when there is space for more. The first call stores the initialisation segment, before the segments. */
  async add(segments: readonly CopiedSegment[], initialisation: Initialisation | null): Promise<void> {
    if (segments.length === 0) return;
    if (!initialisation) throw new CopyError('no initialisation segment');
    if (!this.#init) await this.#storeInit(initialisation);
    for (const { number, data, bytes, release } of segments) {
      this.#sizes[number] = bytes;
      const folders = [this.#folder, ...(number < this.#previewCount ? [this.#preview] : [])];
      const stored = folders.map((folder) =>
        this.#uploads.addBuffers(data, `${folder}/${this.#uriOf(number)}`, contentType),
      );
      const listed = Promise.all(stored)
        .finally(release)
        .then(() => (this.content.growing ? undefined : this.#list.stored(number)));
      this.#wait(listed, bytes);
    }
    while (this.#waitingBytes > mostWaitingBytes) await Promise.race(this.#waiting);
  }

  /** To be called when all segments are added. */
  async finish(): Promise<StoredCopy> {
    await this.#uploads.done();
    await Promise.all(this.#waiting);
    await this.#list.end();
    const playlistBytes = await this.#storePlaylists();
    const { key: initKey, bytes: initBytes, codecs } = this.#known();
    const all = [...this.#sizes, ...this.#sizes.slice(0, this.#previewCount), 2 * initBytes];
    const { name, index } = this.rendition;
    const durations = index.segments.map(({ durationSeconds }) => durationSeconds);
    return {
      chunk: {
        folder: this.#attempt,
        result: { renditions: { [name]: { bytes: this.#sizes, durations, initKey, initBytes, codecs } } },
      },
      bytes: all.reduce((sum, bytes) => sum + bytes, playlistBytes),
    };
  }

  /** Resolves when nothing more is stored. */
  async ended(): Promise<void> {
    await this.#uploads.ended();
    await this.#list.end().catch(() => {});
  }

  async #storePlaylists(): Promise<number> {
    const count = this.rendition.index.segments.length;
    const isWatched = this.content.growing || this.#list.isShown;
    const sizes = await Promise.all([
      this.#write(this.#folder, count, 'complete'),
      this.#write(this.#preview, this.#previewCount, 'complete'),
    ]);
    // The last file: who watches then has a whole list, though this attempt may still fail.
    if (isWatched) sizes.push(await this.#writeShared(count, 'grown'));
    return sizes.reduce((sum, bytes) => sum + bytes, 0);
  }

  async #storeInit({ data, codecs }: Initialisation): Promise<void> {
    const key = `${this.#attempt}/${this.rendition.name}/init.mp4`;
    this.#init = { key, bytes: data.length, codecs };
    const folders = [this.#folder, this.#preview];
    await Promise.all(folders.map((folder) => this.#uploads.addBuffer(data, `${folder}/${key}`, contentType)));
  }

  #wait(stored: Promise<void>, bytes: number): void {
    this.#waitingBytes += bytes;
    const waiting = stored.finally(() => {
      this.#waitingBytes -= bytes;
      this.#waiting.delete(waiting);
    });
    waiting.catch(() => {});
    this.#waiting.add(waiting);
  }

  async #show(count: number): Promise<void> {
    const { id: contentId, generation } = this.content;
    await this.#writeShared(count, 'growing');
    if (this.#list.isShown) return;
    const durationMs = Math.round(this.rendition.index.durationSeconds * 1000);
    await showGrowing(this.ctx, { contentId, generation }, durationMs);
  }

  /**
   * Writes lists whose names all attempts share. The lease is renewed just before, and the time to write them ends before the lease
   * does: a store that hangs fails the attempt.
   */
  async #writeShared(count: number, state: 'growing' | 'grown'): Promise<number> {
    if (!(await this.isHeld())) throw new LeaseLostError('the lease was lost before a list was written');
    const inTime = AbortSignal.timeout(leaseSeconds(this.ctx) * 500);
    return this.#write(this.#folder, count, state, AbortSignal.any([this.run.signal, inTime]));
  }

  /** Writes the lists of the first segments. Resolves with their bytes. */
  async #write(
    folder: string,
    count: number,
    state: PlaylistOptions['state'],
    signal = this.run.signal,
  ): Promise<number> {
    signal.throwIfAborted();
    const { name, width, height, index } = this.rendition;
    const { key: map, codecs } = this.#known();
    const segments = index.segments.slice(0, count).map(({ durationSeconds }, number) => {
      return { uri: this.#uriOf(number), durationSeconds, bytes: this.#sizes[number] ?? 0, map };
    });
    const renditions: PlaylistRendition[] = [{ name, width, height, codecs, segments }];
    const frameRate = [Math.round((index.frames / index.durationSeconds) * 1000), 1000] as const;
    const longest = index.segments.reduce((most, { durationSeconds }) => Math.max(most, durationSeconds), 0);
    const targetSeconds = Math.max(1, Math.round(longest));
    const { attempt } = this.content;
    return writePlaylists(this.ctx, { folder, renditions, frameRate }, { state, attempt, targetSeconds }, signal);
  }

  #known() {
    if (!this.#init) throw new CopyError('no segment');
    return this.#init;
  }

  #uriOf(number: number): string {
    return `${this.#attempt}/${this.rendition.name}/${segmentName(number)}`;
  }

  get #attempt(): string {
    return copiedFolder(0, this.content.attempt);
  }

  get #folder(): string {
    return generationFolder(this.content, this.content.generation);
  }

  get #preview(): string {
    return previewFolder(this.content, this.content.generation);
  }

  /** The number of segments that end within the preview. */
  get #previewCount(): number {
    return previewCount(this.rendition.index.segments.map(({ durationSeconds }) => durationSeconds));
  }
}
