import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import pLimit from 'p-limit';
import { type LiveRendition, type SegmentRendition, liveFileKey } from '../../../shared/streaming/liveRendition.js';
import { setRunMedia } from '../../../shared/streaming/liveRun.lifecycle.js';
import { storeLiveSegment } from '../../../shared/streaming/segment.service.js';
import type { Context } from '../../../shared/platform/context.js';
import type { Logger } from '../../../shared/platform/log.js';
import { outageOf } from '../../../shared/platform/outage.js';
import { isProgrammingError } from './programmingError.js';

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
  /** The renditions of the run from this segment on; the same object until they change. */
  readonly media: readonly LiveRendition[];
  /** In the order of `media`. */
  readonly files: readonly {
    readonly name: string;
    readonly data: readonly Buffer[];
    readonly initialisation: Buffer;
  }[];
  /** Called when the segment is in the playlist. */
  readonly onListed: () => void;
}

interface WriterOptions {
  readonly ctx: Context;
  readonly log: Logger;
  readonly run: PackagedRun;
  readonly signal: AbortSignal;
  /** Called when the run belongs to another process, or to none. */
  readonly onLost: () => void;
  /** Called when a segment, and therefore every later one, cannot be stored: `drain` rejects with the reason. */
  readonly onFailed: () => void;
}

/** File name of an initialisation segment, derived from its bytes. */
export function initialisationName(initialisation: Buffer): string {
  return `init-${createHash('sha256').update(initialisation).digest('hex').slice(0, 16)}.mp4`;
}

/** Maximum of segments in memory that are being uploaded or wait for it; then ffmpeg has to wait. */
const maxUploads = 8;
/**
 * Maximum of uploaded segments that wait for their row, of which only names are in memory. Enough for the longest time without a
 * database (`serveRun.ts`), because segments last at least 1.5 s.
 */
const maxUnlisted = 48;
const uploadsAtOnce = 6;
/** Maximum of initialisation segments that are remembered as stored. An older one is stored again, under the same name. */
export const maxMaps = 16;
const retryMs = { first: 250, longest: 2_000 };
/** How long an error that is neither an outage of a server nor a full disk is retried. */
const patienceMs = 30_000;
const contentType = 'video/mp4';

/**
 * Stores segments: first all files, then the row. Uploads overlap, but rows are written in order. While storage or database are
 * unavailable, or a disk is full, it retries until the signal aborts. Any other error ends the run.
 */
export class SegmentWriter {
  readonly #upload = pLimit(uploadsAtOnce);
  readonly #maps = new Map<string, Promise<void>>();
  readonly #uploads = new Set<Promise<unknown>>();
  readonly #unlisted = new Set<Promise<unknown>>();
  #rows: Promise<void> = Promise.resolve();
  #count = 0;
  #media: readonly LiveRendition[] | null = null;
  #isLost = false;
  /** Segments have to wait for uploads. This is logged once, until half of the space is free. */
  #isSlow = false;
  /** Number of writes that are being retried, by message, so that an outage is logged once instead of for each file and attempt. */
  readonly #failing = new Map<string, number>();

  constructor(private readonly options: WriterOptions) {}

  /** Resolves when there is space for another segment. */
  async add(segment: NewSegment): Promise<void> {
    const { signal, log, onFailed } = this.options;
    if (signal.aborted) return;
    const number = this.#count++;
    // The row must not keep the media in memory.
    const { files, ...row } = segment;
    const uploaded = Promise.all(files.map((file) => this.#store(file, number)));
    this.#rows = this.#row(row, uploaded, this.#rows);
    this.#rows.catch(onFailed);
    const uploads = track(this.#uploads, uploaded);
    const unlisted = track(this.#unlisted, this.#rows);
    if (uploads >= maxUploads) {
      if (!this.#isSlow) log.warn({ segments: uploads }, 'live storage slow, encoding waits');
      await Promise.race(this.#uploads);
    }
    this.#isSlow = uploads >= maxUploads || (this.#isSlow && uploads > maxUploads / 2);
    if (unlisted >= maxUnlisted) {
      log.warn({ segments: unlisted }, 'live segments not listed, encoding waits');
      await Promise.race(this.#unlisted);
    }
  }

  /** Resolves when every segment is stored, or the signal has aborted. Rejects if one cannot be stored. */
  async drain(): Promise<void> {
    await this.#rows;
  }

  async #store({ name, data, initialisation }: NewSegment['files'][number], number: number): Promise<SegmentRendition> {
    const map = initialisationName(initialisation);
    const file = `${this.options.run.runId}-${String(number).padStart(6, '0')}-${name}.m4s`;
    const body = Buffer.concat(data);
    await Promise.all([this.#storeMap(map, initialisation), this.#put(file, body)]);
    return { name, file, map, bytes: body.length };
  }

  #storeMap(map: string, initialisation: Buffer): Promise<void> {
    const stored = this.#maps.get(map) ?? this.#put(map, initialisation);
    // Moves the entry to the end: the first one is the least recently used.
    this.#maps.delete(map);
    this.#maps.set(map, stored);
    for (const oldest of this.#maps.keys()) if (this.#maps.size > maxMaps) this.#maps.delete(oldest);
    return stored;
  }

  #put(file: string, body: Buffer): Promise<void> {
    const { ctx, run, signal } = this.options;
    const key = liveFileKey(run.folder, file);
    return this.#upload(() =>
      this.#retry('live segment not uploaded', () => ctx.storage.put(key, body, { contentType, signal })),
    );
  }

  async #row(
    segment: Omit<NewSegment, 'files'>,
    files: Promise<readonly SegmentRendition[]>,
    before: Promise<void>,
  ): Promise<void> {
    const { ctx, run, signal, onLost } = this.options;
    const { startsAt, durationMicroseconds, isDiscontinuous, media, onListed } = segment;
    const { runId, leaseOwner } = run;
    const renditions = await files;
    await before;
    if (signal.aborted) return this.#discard(renditions);
    await this.#retry('live segment not stored', async () => {
      const isOwner = media === this.#media || (await setRunMedia(ctx, { runId, leaseOwner, renditions: media }));
      this.#media = media;
      const row = { runId, leaseOwner, startsAt, durationMicroseconds, isDiscontinuous, renditions };
      if (isOwner && (await storeLiveSegment(ctx, row))) return onListed();
      this.#isLost = true;
      onLost();
    });
    if (this.#isLost) await this.#discard(renditions);
  }

  /** Removes files that have no row. */
  async #discard(renditions: readonly SegmentRendition[]): Promise<void> {
    const { ctx, run, log } = this.options;
    const keys = renditions.filter(({ file }) => file !== '').map(({ file }) => liveFileKey(run.folder, file));
    await ctx.storage.remove(keys).catch((error: unknown) => log.warn({ err: error }, 'live segment not removed'));
  }

  /** Retries until the work succeeds or the signal aborts. Rejects with an error that is not temporary. */
  async #retry(message: string, work: () => Promise<unknown>): Promise<void> {
    const { log, signal } = this.options;
    const giveUpAt = performance.now() + patienceMs;
    let isFailing = false;
    for (let waitMs = retryMs.first; !signal.aborted; waitMs = Math.min(2 * waitMs, retryMs.longest)) {
      try {
        await work();
        if (isFailing && this.#countFailing(message, -1) === 0) log.info('live segments are being stored again');
        return;
      } catch (error) {
        if (signal.aborted) return;
        const mayPass = outageOf(error) !== null || performance.now() < giveUpAt;
        if (isProgrammingError(error) || !mayPass) throw error;
        if (!isFailing && this.#countFailing(message, 1) === 1) log.warn({ err: error }, message);
        isFailing = true;
        await sleep(waitMs, undefined, { signal }).catch(() => {});
      }
    }
  }

  #countFailing(message: string, change: 1 | -1): number {
    const count = (this.#failing.get(message) ?? 0) + change;
    this.#failing.set(message, count);
    return count;
  }
}

/** Adds a promise to a set until it settles. Returns the size of the set. */
function track(set: Set<Promise<unknown>>, work: Promise<unknown>): number {
  const settled = work.catch(() => {}).finally(() => set.delete(settled));
  return set.add(settled).size;
}
