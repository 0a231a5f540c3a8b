import type { PartServer } from '../../../workers/live/lowLatency/partServer.js';
import type { PartStore } from '../../../workers/live/lowLatency/partStore.js';
import { initialisationName } from '../../../workers/live/packaging/segmentWriter.js';
import type { TestContext } from '../context.js';
import type { SeededChannel } from '../liveFixture.js';
import { makeSegment, type TestRun } from '../liveStreams.js';

/** A run whose parts are written as a packager writes them, without ffmpeg: each contains its own name. */
export interface PartedRun {
  readonly run: TestRun;
  readonly store: PartStore;
  /** So many parts of half a second of the unfinished segment, in all renditions: moves the clock. */
  part(count?: number): void;
  /** The unfinished segment has all its parts; with `stored` it also gets its row. */
  finish(options?: { readonly stored?: boolean }): Promise<void>;
  /** Stores what is complete. */
  storeRows(): Promise<void>;
  /** Whole segments of four parts. */
  segments(count: number): Promise<void>;
  /** ffmpeg has failed: the unfinished segment is encoded again. */
  restart(): void;
}

const partSeconds = 0.5;
const names = ['720p', '240p'];

/** What a part contains. */
export function partBytes(encoding: number, segment: number, part: number, rendition: string): string {
  return `part ${encoding}/${segment}/${part}/${rendition};`;
}

export async function openPartedRun(
  { ctx, openRun }: Pick<SeededChannel, 'openRun'> & { readonly ctx: TestContext },
  server: PartServer,
): Promise<PartedRun> {
  const run = await openRun(names, server.url);
  const store = server.open(run.runId);
  let [encoding, segment, count] = [0, 0, 0];
  let startsAt = ctx.clock.now();
  let isDiscontinuous = false;
  const complete: (() => Promise<void>)[] = [];
  const initialisationOf = (rendition: string): Buffer => Buffer.from(`init ${run.runId} ${encoding} ${rendition}`);
  const parted: PartedRun = {
    ...{ run, store },
    part(added = 1) {
      for (let index = 0; index < added; index += 1) {
        if (count === 0) startsAt = ctx.clock.now();
        for (const rendition of names)
          store.add({
            ...{ encoding, segment, part: count, rendition, renditions: names, startsAt: ctx.clock.now() },
            ...{ startSeconds: segment * 2 + count * partSeconds, durationSeconds: partSeconds },
            ...{ isIndependent: count === 0, isLast: count === 3, initialisation: initialisationOf(rendition) },
            data: [Buffer.from(partBytes(encoding, segment, count, rendition))],
          });
        count += 1;
        ctx.clock.advance(partSeconds * 1000);
      }
    },
    async finish({ stored = true } = {}) {
      const packaged = { encoding, segment };
      const row = { startsAt, durationSeconds: count * partSeconds, renditions: names, isDiscontinuous };
      const maps = new Map(names.map((name) => [name, initialisationName(initialisationOf(name))]));
      store.complete(packaged);
      complete.push(async () => {
        await makeSegment(ctx, run, { ...row, mapOf: (name) => maps.get(name) ?? '' });
        store.stored(packaged);
      });
      isDiscontinuous = false;
      segment += 1;
      count = 0;
      if (stored) await parted.storeRows();
    },
    async storeRows() {
      for (const storeRow of complete.splice(0)) await storeRow();
    },
    async segments(added) {
      for (let index = 0; index < added; index += 1) {
        parted.part(4);
        await parted.finish();
      }
    },
    restart() {
      [encoding, segment] = [encoding + 1, 0];
      ctx.clock.advance(-count * partSeconds * 1000);
      count = 0;
      isDiscontinuous = true;
    },
  };
  return parted;
}
