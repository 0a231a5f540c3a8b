import { randomUUID } from 'node:crypto';
import { LiveChannel } from '../../shared/live/live.model.js';
import { liveSegmentSeconds } from '../../shared/media/segmentSeconds.js';
import type { Context } from '../../shared/platform/context.js';
import { openRun, setRunMedia } from '../../shared/streaming/liveRun.lifecycle.js';
import { storeLiveSegment } from '../../shared/streaming/segment.service.js';
import { claimStream } from '../../shared/streaming/streamPath.service.js';
import { initialisationName } from '../../workers/live/packaging/segmentWriter.js';
import type { BenchContext } from './benchContext.js';

const heights = [720, 480, 240];
const map = initialisationName(Buffer.from('initialisation'));

/**
 * A channel whose encoder publishes in 720p, 480p and 240p until the figure ends. Only rows are stored. Resolves with the channel's
 * id.
 */
export async function openPublishedChannel(bench: BenchContext, ctx: Context, ownerId: string): Promise<string> {
  const [channelId, leaseOwner] = [randomUUID(), randomUUID()];
  const now = ctx.clock.now();
  await ctx.db.transaction(async (transaction) => {
    await claimStream(ctx, transaction, { id: channelId, ownerId, kind: 'LIVE_CHANNEL', path: channelId });
    const channel = { id: channelId, ownerId, name: 'Bench', public: true, createdAt: now, updatedAt: now };
    await ctx.db.model(LiveChannel).create(channel, { transaction });
  });
  const { runId } = await openRun(ctx, {
    ...{ streamId: channelId, ownerId, source: 'RTMP', leaseOwner, clientAddress: null },
  });
  await setRunMedia(ctx, {
    ...{ runId, leaseOwner },
    renditions: heights.map((height) => ({
      ...{ name: `${height}p`, width: Math.round((height * 16) / 18) * 2, height, frameRate: 30, isCopy: false },
      ...{ codecs: 'avc1.64001f,mp4a.40.2', peakBitrate: height * 3_000 },
    })),
  });
  let segments = 0;
  const publish = async (): Promise<void> => {
    const startsAt = new Date(now.getTime() + segments * liveSegmentSeconds * 1000);
    const renditions = heights.map((height) => ({
      ...{ name: `${height}p`, file: `${height}p-${segments}.m4s`, map, bytes: 500_000 },
    }));
    segments += 1;
    const durationMicroseconds = liveSegmentSeconds * 1e6;
    await storeLiveSegment(ctx, { runId, leaseOwner, startsAt, durationMicroseconds, renditions });
  };
  while (segments < 10) await publish();
  const timer = setInterval(() => void publish().catch(() => {}), liveSegmentSeconds * 1000);
  bench.cleanups.add(async () => clearInterval(timer));
  return channelId;
}
