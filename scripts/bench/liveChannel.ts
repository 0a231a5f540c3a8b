import { randomUUID } from 'node:crypto';
import type { OpenContext } from '../../shared/openContext.js';
import { LiveChannel } from '../../shared/live/live.model.js';
import { openRun, setRunMedia } from '../../shared/streaming/liveRun.lifecycle.js';
import { liveSegmentSeconds } from '../../shared/media/segmentSeconds.js';
import { storeLiveSegment } from '../../shared/streaming/segment.service.js';
import { claimStream } from '../../shared/streaming/streamPath.service.js';
import { initialisationName } from '../../workers/live/packaging/segmentWriter.js';
import { startPartServer } from '../../workers/live/lowLatency/partServer.js';
import type { PartStore } from '../../workers/live/lowLatency/partStore.js';
import type { BenchContext } from './benchContext.js';

const heights = [720, 480, 240];
const partSeconds = 0.5;
const partsOfSegment = liveSegmentSeconds / partSeconds;
const names = heights.map((height) => `${height}p`);
const initialisation = Buffer.from('initialisation');

/** A channel whose encoder publishes in 720p, 480p and 240p until the figure ends. Resolves with its id. */
export async function openLiveChannel(
  bench: BenchContext,
  ctx: OpenContext,
  ownerId: string,
  { hasParts }: { readonly hasParts: boolean },
): Promise<string> {
  const channelId = randomUUID();
  const leaseOwner = randomUUID();
  const now = ctx.clock.now();
  await ctx.db.transaction(async (transaction) => {
    await claimStream(ctx, transaction, { id: channelId, ownerId, kind: 'LIVE_CHANNEL', path: channelId });
    const channel = { id: channelId, ownerId, name: 'Bench', public: true, createdAt: now, updatedAt: now };
    await ctx.db.model(LiveChannel).create(channel, { transaction });
  });
  const server = hasParts ? await startPartServer(ctx) : null;
  bench.cleanups.add(async () => server?.close());
  const { runId } = await openRun(ctx, {
    ...{ streamId: channelId, ownerId, source: 'RTMP', leaseOwner, clientAddress: null, partsUrl: server?.url ?? null },
  });
  await setRunMedia(ctx, {
    ...{ runId, leaseOwner },
    renditions: heights.map((height) => ({
      ...{ name: `${height}p`, width: Math.round((height * 16) / 18) * 2, height, frameRate: 30, isCopy: false },
      ...{ codecs: 'avc1.64001f,mp4a.40.2', peakBitrate: height * 3_000 },
    })),
  });
  const store = server?.open(runId) ?? null;
  let parts = 0;
  const publish = async (): Promise<void> => {
    const segment = Math.floor(parts / partsOfSegment);
    const startsAt = new Date(now.getTime() + segment * liveSegmentSeconds * 1000);
    if (store) addPart(store, segment, parts % partsOfSegment, startsAt);
    parts += 1;
    if (parts % partsOfSegment > 0) return;
    store?.complete({ encoding: 0, segment });
    const renditions = names.map((name) => ({
      ...{ name, file: `${name}-${segment}.m4s`, map: initialisationName(initialisation), bytes: 500_000 },
    }));
    await storeLiveSegment(ctx, {
      runId,
      leaseOwner,
      startsAt,
      durationMicroseconds: liveSegmentSeconds * 1e6,
      renditions,
    });
    store?.stored({ encoding: 0, segment });
  };
  for (let index = 0; index < 10 * partsOfSegment; index += 1) await publish();
  const timer = setInterval(() => void publish().catch(() => {}), partSeconds * 1000);
  bench.cleanups.add(async () => clearInterval(timer));
  return channelId;
}

function addPart(store: PartStore, segment: number, part: number, startsAt: Date): void {
  for (const rendition of names)
    store.add({
      ...{ encoding: 0, segment, part, rendition, renditions: names, startsAt, durationSeconds: partSeconds },
      ...{ startSeconds: segment * liveSegmentSeconds + part * partSeconds, isIndependent: part === 0 },
      ...{ isLast: part === partsOfSegment - 1, initialisation, data: [Buffer.alloc(1_000)] },
    });
}
