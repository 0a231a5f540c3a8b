import { allEnded } from '../../../shared/platform/allEnded.js';
import type { Content } from '../../../shared/content/content.model.js';
import { offerGrowingPlaylist } from '../../../shared/content/generation.lifecycle.js';
import type { ChunkRendition } from '../../../shared/content/chunkResult.js';
import type { PlaylistAudio, PlaylistOptions } from '../../../shared/content/playlists.js';
import { copiedFolder, generationFolder, previewFolder, segmentName } from '../../../shared/content/storageKeys.js';
import { leaseSeconds, LeaseLostError } from '../../../shared/platform/lease/index.js';
import {
  aacCodec,
  codecsOf,
  singleTrackInitialisation,
  type Initialisation,
  type Mp4Track,
} from '../../../shared/media/mp4/index.js';
import { withTimeLimit } from '../../../shared/platform/withTimeout.js';
import type { MediaRun } from '../../media/index.js';
import { writePlaylists } from '../../content/writePlaylists.js';
import type { WorkerContext } from '../../runtime/workerContext.js';
import { createUploads } from '../../runtime/uploads.js';
import type { Copied } from '../commitCopied.js';
import { previewCount } from '../previewCount.js';
import type { CopiedSegment } from './copiedSegments.js';
import { CopyError } from './copyRefusal.js';
import { GrowingPlaylistWriter } from './growingPlaylistWriter.js';
import type { VideoIndex } from './packetIndex.js';

/** Maximum bytes of segments that wait to be stored, before ffmpeg has to wait. */
const maxWaitingBytes = 24 * 1024 ** 2;
const contentType = 'video/mp4';

/** The rendition that a copy creates. */
export interface CopiedRendition {
  /** `1080p`: the shorter side. */
  readonly name: string;
  readonly width: number;
  readonly height: number;
  readonly index: VideoIndex;
  /** The default audio, in separate files. */
  readonly audio: Pick<PlaylistAudio, 'name' | 'language' | 'label' | 'channels'>;
}

interface StoredInit {
  readonly key: string;
  readonly bytes: number;
  readonly codecs: string;
}

/** The stored files of a copy. */
export type StoredCopy = Pick<Copied, 'bytes'> & { readonly chunk: Copied['chunks'][number] };

/**
 * Stores the segments of a copy as they are created, and growing playlists, so that the owner can watch. If the owner already
 * watches the files of an earlier attempt, the playlists change only after the last segment.
 */
export class CopyStore {
  readonly #uploads;
  readonly #playlists: GrowingPlaylistWriter;
  /** File sizes of each track, by segment. */
  readonly #sizes: Record<Mp4Track['kind'], number[]> = { video: [], audio: [] };
  readonly #waiting = new Set<Promise<void>>();
  #waitingBytes = 0;
  #inits: Record<Mp4Track['kind'], StoredInit> | null = null;

  constructor(
    private readonly ctx: WorkerContext,
    private readonly content: Content,
    private readonly rendition: CopiedRendition,
    private readonly run: MediaRun,
    /** Whether the lease of ingestion is still held. */
    private readonly isHeld: () => Promise<boolean>,
  ) {
    this.#uploads = createUploads(ctx, run.signal);
    this.#playlists = new GrowingPlaylistWriter((count) => this.#show(count));
  }

  /** Resolves when there is space for more segments. The first call stores the initialisation segments first. */
  async add(segments: readonly CopiedSegment[], initialisation: Initialisation | null): Promise<void> {
    if (segments.length === 0) return;
    if (!initialisation) throw new CopyError('no initialisation segment');
    if (!this.#inits) await this.#storeInits(initialisation);
    for (const { number, video, audio, release } of segments) {
      this.#sizes.video[number] = sizeOf(video);
      this.#sizes.audio[number] = sizeOf(audio);
      const folders = [this.#folder, ...(number < this.#previewCount ? [this.#preview] : [])];
      const files = [['video', video] as const, ...(audio.length > 0 ? [['audio', audio] as const] : [])];
      const stored = files.flatMap(([kind, data]) =>
        folders.map((folder) => this.#uploads.addBuffers(data, `${folder}/${this.#uriOf(kind, number)}`, contentType)),
      );
      const bytes = sizeOf(video) + sizeOf(audio);
      const listed = Promise.all(stored)
        .finally(release)
        .then(() => (this.content.growing ? undefined : this.#playlists.stored(number)));
      this.#wait(listed, bytes);
    }
    while (this.#waitingBytes > maxWaitingBytes) await Promise.race(this.#waiting);
  }

  /** Called after the last segment. */
  async finish(): Promise<StoredCopy> {
    await this.#uploads.done();
    await Promise.all(this.#waiting);
    await this.#playlists.end();
    const playlistBytes = await this.#storePlaylists();
    const { name, index, audio } = this.rendition;
    const durations = index.segments.map(({ durationSeconds }) => durationSeconds);
    const inits = this.#known();
    const trackOf = (kind: Mp4Track['kind']): ChunkRendition => {
      const { key: initKey, bytes: initBytes, codecs } = inits[kind];
      return { bytes: this.#sizes[kind], durations, initKey, initBytes, codecs };
    };
    const all = (['video', 'audio'] as const).flatMap((kind) => [
      ...[...this.#sizes[kind], ...this.#sizes[kind].slice(0, this.#previewCount), 2 * inits[kind].bytes],
    ]);
    return {
      chunk: {
        folder: this.#attempt,
        result: { renditions: { [name]: trackOf('video'), [audio.name]: trackOf('audio') } },
      },
      bytes: all.reduce((sum, bytes) => sum + bytes, playlistBytes),
    };
  }

  /** Resolves when no upload is in progress. */
  async ended(): Promise<void> {
    await this.#uploads.ended();
    await this.#playlists.end().catch(() => {});
  }

  async #storePlaylists(): Promise<number> {
    const count = this.rendition.index.segments.length;
    const isWatched = this.content.growing || this.#playlists.isShown;
    const sizes = await allEnded([
      this.#write(this.#folder, count, 'complete'),
      this.#write(this.#preview, this.#previewCount, 'complete'),
    ]);
    // The last file: from then on the owner plays a complete playlist, even if this attempt fails later.
    if (isWatched) sizes.push(await this.#writeShared(count, 'grown'));
    return sizes.reduce((sum, bytes) => sum + bytes, 0);
  }

  async #storeInits({ data }: Initialisation): Promise<void> {
    const store = async (kind: Mp4Track['kind']): Promise<StoredInit> => {
      const init = singleTrackInitialisation(data, kind);
      const key = `${this.#attempt}/${this.#nameOf(kind)}/init.mp4`;
      const folders = [this.#folder, this.#preview];
      await Promise.all(folders.map((folder) => this.#uploads.addBuffer(init, `${folder}/${key}`, contentType)));
      return { key, bytes: init.length, codecs: kind === 'video' ? codecsOf(init) : aacCodec };
    };
    const [video, audio] = await Promise.all([store('video'), store('audio')]);
    this.#inits = { video, audio };
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
    if (this.#playlists.isShown) return;
    const durationMs = Math.round(this.rendition.index.durationSeconds * 1000);
    await offerGrowingPlaylist(this.ctx, { contentId, generation }, durationMs);
  }

  /**
   * Writes playlists whose names all attempts share. The lease is renewed just before, and the time limit for writing ends before
   * the lease: a store that hangs fails the attempt.
   */
  async #writeShared(count: number, state: 'growing' | 'grown'): Promise<number> {
    if (!(await this.isHeld())) throw new LeaseLostError('the lease was lost before a playlist was written');
    return withTimeLimit(this.run.signal, leaseSeconds(this.ctx) * 500, (inTime) =>
      this.#write(this.#folder, count, state, inTime),
    );
  }

  /** Writes the playlists of the first `count` segments. Resolves with their size in bytes. */
  async #write(
    folder: string,
    count: number,
    state: PlaylistOptions['state'],
    signal = this.run.signal,
  ): Promise<number> {
    signal.throwIfAborted();
    const { name, width, height, index } = this.rendition;
    const listOf = (kind: Mp4Track['kind']) => {
      const { key: map, codecs } = this.#known()[kind];
      const segments = index.segments.slice(0, count).map(({ durationSeconds }, number) => {
        return { uri: this.#uriOf(kind, number), durationSeconds, bytes: this.#sizes[kind][number] ?? 0, map };
      });
      return { codecs, segments: segments.filter(({ bytes }) => bytes > 0) };
    };
    const renditions = [{ name, width, height, ...listOf('video') }];
    const audio = [{ ...this.rendition.audio, ...listOf('audio') }];
    const frameRate = [Math.round((index.frames / index.durationSeconds) * 1000), 1000] as const;
    const longest = index.segments.reduce((most, { durationSeconds }) => Math.max(most, durationSeconds), 0);
    const targetSeconds = Math.max(1, Math.round(longest));
    const { attempt } = this.content;
    return writePlaylists(
      this.ctx,
      { folder, renditions, audio, frameRate },
      { state, attempt, targetSeconds },
      signal,
    );
  }

  #known(): Record<Mp4Track['kind'], StoredInit> {
    if (!this.#inits) throw new CopyError('no segment');
    return this.#inits;
  }

  #uriOf(kind: Mp4Track['kind'], number: number): string {
    return `${this.#attempt}/${this.#nameOf(kind)}/${segmentName(number)}`;
  }

  #nameOf(kind: Mp4Track['kind']): string {
    return kind === 'video' ? this.rendition.name : this.rendition.audio.name;
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

function sizeOf(parts: readonly Buffer[]): number {
  return parts.reduce((sum, { length }) => sum + length, 0);
}
