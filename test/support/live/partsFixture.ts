import { expect } from 'chai';
import { ContextParts } from '../../../shared/platform/contextParts.js';
import { liveCaches } from '../../../shared/streaming/liveTimeline.js';
import type { PartStore } from '../../../workers/live/lowLatency/partStore.js';
import { initialisationName } from '../../../workers/live/packaging/segmentWriter.js';
import type { TestContext } from '../context.js';
import { startPartServer, type PartServer } from '../../../workers/live/lowLatency/partServer.js';
import { eventually } from '../eventually.js';
import type { ReadLowLatency, ReadPlaylist } from '../hlsPlaylist.js';
import { MediaPlaylistRules } from '../hlsReader.js';
import { openLiveFixture, type LiveFixture, type SeededChannel } from '../liveFixture.js';
import { makeSegment, type TestRun } from '../liveStreams.js';

/** A service with one live channel, the parts port of a live process, and a reader that checks all playlists it reads. */
export interface PartsFixture extends LiveFixture {
  readonly server: PartServer;
  /** Path of the channel under a grant. */
  readonly path: string;
  openParted(): Promise<PartedRun>;
  /** A media playlist; `scope` is a path of `pathOf`. */
  read(query?: string, name?: string, scope?: string): Promise<ReadPlaylist>;
  lowLatency(query?: string, name?: string): Promise<ReadLowLatency>;
}

/** Fails if a response arrives within a moment. */
export async function expectWaiting(response: Promise<unknown>): Promise<void> {
  const pause = new Promise((resolve) => setTimeout(resolve, 200, 'waits'));
  expect(await Promise.race([response.then(() => 'answered'), pause])).to.equal('waits');
}

export async function openPartsFixture(overrides: Record<string, string> = {}): Promise<PartsFixture> {
  const fixture = await openLiveFixture(overrides);
  Object.assign(liveCaches(fixture.ctx), { timelines: liveCaches({ parts: new ContextParts() }).timelines });
  const server = (await startPartServer(fixture.ctx)) ?? expect.fail('no server');
  const path = fixture.pathOf(fixture.channelId);
  const rules = new Map<string, MediaPlaylistRules>();
  const read: PartsFixture['read'] = async (query = '', name = '720p', scope = path) => {
    const response = await fixture.get(`${scope}${name}.m3u8${query}`);
    expect(response.status, response.text).to.equal(200);
    const key = `${scope}${name}${query.includes('dvr')}`;
    const known = rules.get(key) ?? new MediaPlaylistRules();
    rules.set(key, known);
    return known.check(response.text);
  };
  return {
    ...{ ...fixture, server, path, read },
    openParted: () => openPartedRun(fixture, server),
    // On a busy machine, the first playlist may be sent before the state of the parts has arrived.
    lowLatency: (query, name) =>
      eventually(async () => (await read(query, name)).lowLatency ?? expect.fail('no parts')),
    async close() {
      await fixture.close();
      await server.close();
    },
  };
}

/** A run whose parts are written as a packager writes them, without ffmpeg; each part contains its own name. */
export interface PartedRun {
  readonly run: TestRun;
  readonly store: PartStore;
  /** Adds `count` parts of half a second to the unfinished segment in all renditions, and advances the clock. */
  part(count?: number): void;
  /** Completes the unfinished segment; with `stored`, its row is inserted too. */
  finish(options?: { readonly stored?: boolean }): Promise<void>;
  /** Inserts the rows of completed segments. */
  storeRows(): Promise<void>;
  /** Adds complete segments of four parts. */
  segments(count: number): Promise<void>;
  /** Discards the unfinished segment as if ffmpeg had failed. */
  restart(): void;
}

const partSeconds = 0.5;
const names = ['720p', '240p'];

/** The content of a part. */
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
