import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import pLimit from 'p-limit';
import type { LiveRendition, SegmentRendition } from '../../../shared/streaming/liveRendition.js';
import { setRunMedia } from '../../../shared/streaming/run.lifecycle.js';
import { liveFileKey, storeSegment } from '../../../shared/streaming/segment.service.js';
import type { Context } from '../../../shared/platform/context.js';
import type { Logger } from '../../../shared/platform/log.js';

/** The run that segments are stored for. */
export interface PackagedRun {
  readonly runId: string;
  readonly sessionId: string;
  readonly folder: string;
  readonly leaseOwner: string;
}

/** A segment to be stored. */
export interface NewSegment {
  readonly startsAt: Date;
  readonly durationMicroseconds: number;
  readonly isDiscontinuous: boolean;
  /** Of the whole run from this segment on; the same object as long as nothing changes. */
  readonly media: readonly LiveRendition[];
  /** In the order of `media`. */
  readonly files: readonly {
    readonly name: string;
    readonly data: readonly Buffer[];
    readonly initialisation: Buffer;
  }[];
  /** It is in the playlist from now on. */
  readonly onListed: () => void;
}

interface WriterOptions {
  readonly ctx: Context;
  readonly log: Logger;
  readonly run: PackagedRun;
  readonly signal: AbortSignal;
  /** The run belongs to another process, or to none. */
  readonly onLost: () => void;
}

/** The file of an initialisation segment: the same bytes have the same name. */
export function initialisationName(initialisation: Buffer): string {
  return `init-${createHash('sha256').update(initialisation).digest('hex').slice(0, 16)}.mp4`;
}

/** Segments that are being uploaded, or wait for it. Then ffmpeg has to wait. */
const maximumSegments = 8;
const uploadsAtOnce = 6;
const retryMs = { first: 250, longest: 2_000 };
const contentType = 'video/mp4';

/**
 * Stores segments: all files first, then the row, rows in order. A segment may be uploaded while the one before it is not
 * stored yet. While storage or database fail, it tries again until the signal aborts.
 */
export class SegmentWriter {
  readonly #upload = pLimit(uploadsAtOnce);
  readonly #maps = new Map<string, Promise<void>>();
  readonly #waiting = new Set<Promise<void>>();
  #rows: Promise<void> = Promise.resolve();
  #count = 0;
  #media: readonly LiveRendition[] | null = null;
  #isLost = false;

  constructor(private readonly options: WriterOptions) {}

  /** Resolves when there is space for another segment. */
  async add(segment: NewSegment): Promise<void> {
    const { signal, log } = this.options;
    if (signal.aborted) return;
    const number = this.#count++;
    const files = segment.files.map((file) => this.#store(file, number));
    const stored = this.#row(segment, Promise.all(files), this.#rows);
    this.#rows = stored;
    this.#waiting.add(stored);
    void stored.finally(() => this.#waiting.delete(stored)).catch(() => {});
    if (this.#waiting.size < maximumSegments) return;
    log.warn({ segments: this.#waiting.size }, 'live storage slow, encoding waits');
    await Promise.race(this.#waiting);
  }

  /** Resolves when every segment is stored, or the signal has aborted. Rejects where a segment is refused. */
  async drain(): Promise<void> {
    await this.#rows;
  }

  async #store({ name, data, initialisation }: NewSegment['files'][number], number: number): Promise<SegmentRendition> {
    const map = initialisationName(initialisation);
    const file = `${this.options.run.runId}-${String(number).padStart(6, '0')}-${name}.m4s`;
    const body = Buffer.concat(data);
    if (!this.#maps.has(map)) this.#maps.set(map, this.#put(map, initialisation));
    await Promise.all([this.#maps.get(map), this.#put(file, body)]);
    return { name, file, map, bytes: body.length };
  }

  #put(file: string, body: Buffer): Promise<void> {
    const { ctx, run, signal } = this.options;
    const key = liveFileKey(run.folder, file);
    return this.#upload(() =>
      this.#insist('live segment not uploaded', () => ctx.storage.put(key, body, { contentType, signal })),
    );
  }

  async #row(segment: NewSegment, files: Promise<readonly SegmentRendition[]>, before: Promise<void>): Promise<void> {
    const { ctx, run, signal, onLost } = this.options;
    const { startsAt, durationMicroseconds, isDiscontinuous, media, onListed } = segment;
    const { runId, leaseOwner } = run;
    const renditions = await files;
    await before;
    if (signal.aborted) return this.#discard(renditions);
    await this.#insist('live segment not stored', async () => {
      const isMine = media === this.#media || (await setRunMedia(ctx, { runId, leaseOwner, renditions: media }));
      this.#media = media;
      const row = { runId, leaseOwner, startsAt, durationMicroseconds, isDiscontinuous, renditions };
      if (isMine && (await storeSegment(ctx, row))) return onListed();
      this.#isLost = true;
      onLost();
    });
    if (this.#isLost) await this.#discard(renditions);
  }

  /** Files without a row are removed. */
  async #discard(renditions: readonly SegmentRendition[]): Promise<void> {
    const { ctx, run, log } = this.options;
    const keys = renditions.filter(({ file }) => file !== '').map(({ file }) => liveFileKey(run.folder, file));
    await ctx.storage
      .remove(keys)
      .catch((error: unknown) => log.warn({ err: error, runId: run.runId }, 'live segment not removed'));
  }

  /** Tries until it succeeds or the signal has aborted. */
  async #insist(message: string, work: () => Promise<unknown>): Promise<void> {
    const { log, run, signal } = this.options;
    for (let waitMs = retryMs.first; !signal.aborted; waitMs = Math.min(2 * waitMs, retryMs.longest)) {
      try {
        await work();
        return;
      } catch (error) {
        if (signal.aborted) return;
        // An error of our own code would come again for ever.
        if (error instanceof TypeError || error instanceof RangeError) throw error;
        log.warn({ err: error, runId: run.runId }, message);
        await sleep(waitMs, undefined, { signal }).catch(() => {});
      }
    }
  }
}
