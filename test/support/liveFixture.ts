import { randomUUID } from 'node:crypto';
import { liveCaches } from '../../shared/streaming/liveTimeline.js';
import { LiveChannel, LiveEvent } from '../../shared/live/live.model.js';
import { livePrefix, writeGrant } from '../../shared/playback/grant.js';
import { RefreshedCache } from '../../shared/platform/refreshedCache.js';
import { setRunMedia } from '../../shared/streaming/liveRun.lifecycle.js';
import type { TestApi } from './api.js';
import type { TestContext } from './context.js';
import { openHlsReader, type HlsReader } from './hlsReader.js';
import { makeRun, makeSegment, makeStream, testRendition, type TestRun, type TestSegment } from './liveStreams.js';
import { rawRequest } from './rawRequest.js';
import { openService } from './fixtures.js';
import { readUser } from '../../shared/user/user.queries.js';

/** A live channel without an encoder: segments are written as a live process writes them. */
export interface SeededChannel {
  readonly channelId: string;
  readonly ownerId: string;
  readonly ownerCode: string;
  openRun(renditions?: readonly string[], partsUrl?: string | null): Promise<TestRun>;
  /** Path of a scope under a new grant, with a trailing slash. */
  pathOf(scopeId: string, expiresInSeconds?: number): string;
}

/** A service with one live channel. */
export interface LiveFixture extends SeededChannel {
  readonly ctx: TestContext;
  readonly api: TestApi;
  makeEvent(startsAt: Date, endsAt: Date): Promise<string>;
  /** Publishes `count` segments of two seconds, the last of which ends now; advances the clock by their duration. */
  publish(run: TestRun, count: number, segment?: Omit<TestSegment, 'startsAt'>): Promise<void>;
  get(path: string, headers?: Readonly<Record<string, string>>, method?: string): ReturnType<typeof rawRequest>;
  openReader(scopeId: string, query?: string): Promise<HlsReader>;
  close(): Promise<void>;
}

export async function seedLiveChannel(ctx: TestContext): Promise<SeededChannel> {
  const { streamId: channelId, ownerId } = await makeStream(ctx);
  const now = ctx.clock.now();
  const row = { id: channelId, ownerId, name: 'Channel', public: true, createdAt: now, updatedAt: now };
  await ctx.db.model(LiveChannel).create(row);
  const { userCode: ownerCode } = await readUser(ctx, ownerId);
  return {
    ...{ channelId, ownerId, ownerCode },
    async openRun(renditions = ['720p', '240p'], partsUrl = null) {
      const run = await makeRun(ctx, { streamId: channelId, ownerId, path: '' }, partsUrl);
      await setRunMedia(ctx, { ...run, renditions: renditions.map(testRendition) });
      return run;
    },
    pathOf(scopeId, expiresInSeconds = 3600) {
      const expiresSeconds = Math.floor(ctx.clock.now().getTime() / 1000) + expiresInSeconds;
      const grant = { kind: 'live', sessionId: randomUUID(), viewerCode: null, publisherCode: ownerCode } as const;
      const prefix = livePrefix(scopeId);
      return `/s/${writeGrant(ctx.config.playback.keys, { ...grant, expiresSeconds, prefix })}/${prefix}`;
    },
  };
}

export async function openLiveFixture(overrides: Record<string, string> = {}): Promise<LiveFixture> {
  const { ctx, api, close } = await openService({ PUBLIC_URL: 'https://video.example', ...overrides });
  // Every request reads the current rows, so that tests need not wait a second.
  Object.assign(liveCaches(ctx), { timelines: new RefreshedCache({ lifetimeMs: 0, maxEntries: 100 }) });
  const channel = await seedLiveChannel(ctx);
  const get: LiveFixture['get'] = (path, headers = {}, method = 'GET') =>
    rawRequest(api, { method, path, headers: Object.entries(headers).flat() });
  return {
    ...{ ...channel, ctx, api, get },
    async makeEvent(startsAt, endsAt) {
      const id = randomUUID();
      const now = ctx.clock.now();
      const { channelId, ownerId } = channel;
      const event = {
        id,
        channelId,
        ownerId,
        name: 'Event',
        paymentMode: 'FREE',
        public: true,
        recorded: false,
      } as const;
      await ctx.db.model(LiveEvent).create({ ...event, startsAt, endsAt, createdAt: now, updatedAt: now });
      return id;
    },
    async publish(run, count, segment = {}) {
      for (let index = 0; index < count; index += 1) {
        const startsAt = ctx.clock.now();
        ctx.clock.advance((segment.durationSeconds ?? 2) * 1000);
        await makeSegment(ctx, run, { ...segment, startsAt });
      }
    },
    openReader: (scopeId, query = '') =>
      openHlsReader(`${api.url}${channel.pathOf(scopeId)}master.m3u8${query}`, async (url) => {
        const { pathname, search } = new URL(url);
        return get(pathname + search);
      }),
    close,
  };
}
