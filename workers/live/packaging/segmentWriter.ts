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
  /** A segment cannot be stored, and so none behind it: `drain` rejects with the reason. */
  readonly onFailed: () => void;
}

/** The file of an initialisation segment: the same bytes have the same name. */
export function initialisationName(initialisation: Buffer): string {
  return `init-${createHash('sha256').update(initialisation).digest('hex').slice(0, 16)}.mp4`;
}

/** Segments that are being uploaded, or wait for it: they are in memory. Then ffmpeg has to wait. */
const maxUploads = 8;
/**
 * Segments that are uploaded and wait for the database: names only. More than a run lasts without a database (`serveRun.ts`),
 * at any bit rate, because the shortest segments of an encoding have 1.5 s.
 */
const maxUnlisted = 48;
const uploadsAtOnce = 6;
/** Initialisation segments that are known to be stored. An older one is stored again: the same bytes under the same name. */
export const maxMaps = 16;
const retryMs = { first: 250, longest: 2_000 };
/** How long an error is tried again that does not say that a server is away or a disk full. */
const patienceMs = 30_000;
const contentType = 'video/mp4';

/**
 * Stores segments: all files first, then the row, rows in order. A segment may be uploaded while the one before it is not
 * stored yet. While storage or database are away, or a disk is full, it tries again until the signal aborts. Any other error ends the run.
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
  /** Segments had to wait for uploads: that is in the log, until half of the space is free again. */
  #isSlow = false;
  /** How many writes fail and are tried again, by message: an outage is logged once, not at each try of each file. */
  readonly #failing = new Map<string, number>();

  constructor(private readonly options: WriterOptions) {}

  /** Resolves when there is space for another segment. */
  async add(segment: NewSegment): Promise<void> {
    const { signal, log, onFailed } = this.options;
    if (signal.aborted) return;
    const number = this.#count++;
    // The media itself is not kept until the row is written.
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

  /** Resolves when every segment is stored, or the signal has aborted. Rejects where one cannot be stored. */
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
    // Behind all others: the first one is the one that was needed the longest time ago.
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
      const isMine = media === this.#media || (await setRunMedia(ctx, { runId, leaseOwner, renditions: media }));
      this.#media = media;
      const row = { runId, leaseOwner, startsAt, durationMicroseconds, isDiscontinuous, renditions };
      if (isMine && (await storeLiveSegment(ctx, row))) return onListed();
      this.#isLost = true;
      onLost();
    });
    if (this.#isLost) await this.#discard(renditions);
  }

  /** Files without a row are removed. */
  async #discard(renditions: readonly SegmentRendition[]): Promise<void> {
    const { ctx, run, log } = this.options;
    const keys = renditions.filter(({ file }) => file !== '').map(({ file }) => liveFileKey(run.folder, file));
    await ctx.storage.remove(keys).catch((error: unknown) => log.warn({ err: error }, 'live segment not removed'));
  }

  /** Tries until it succeeds or the signal has aborted. Rejects with an error that would come again. */
  async #retry(message: string, work: () => Promise<unknown>): Promise<void> {
    const { log, signal } = this.options;
    const giveUpAt = performance.now() + patienceMs;
    let isFailing = false;
    for (let waitMs = retryMs.first; !signal.aborted; waitMs = Math.min(2 * waitMs, retryMs.longest)) {
      try {
        await work();
        if (isFailing && this.#countFailing(message, -1) === 0) log.info('live segments are stored again');
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

/** Adds a promise to a set until it is settled. Returns the size of the set. */
function track(set: Set<Promise<unknown>>, work: Promise<unknown>): number {
  const settled = work.catch(() => {}).finally(() => set.delete(settled));
  return set.add(settled).size;
}
