import { randomUUID } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { OpenContext } from '../../../shared/context.js';
import { LiveChannel } from '../../../shared/live/live.model.js';
import { livePrefix, writeGrant } from '../../../shared/playback/grant.js';
import { openRun, setRunMedia } from '../../../shared/streaming/run.lifecycle.js';
import { segmentSeconds, storeSegment } from '../../../shared/streaming/segment.service.js';
import { claimStream } from '../../../shared/streaming/streamPath.service.js';
import { freePort } from '../../embedded/freePort.js';
import type { BenchContext } from '../benchContext.js';
import type { Figure } from '../figure.js';
import { load } from '../load.js';
import { startService } from '../service.js';
import { sideBySide } from '../sideBySide.js';

const viewers = 1_000;
const heights = [720, 480, 240];

export const livePlaylist: Figure = {
  name: 'live-playlist',
  title: 'Live playlist under a grant, 1,000 viewers of one channel, against bare `express.static`',
  target: { atLeast: 0.6 },
  method:
    'The built web process sends the media playlist of a channel under 1,000 grants in turn, while a segment in three ' +
    'renditions is stored every two seconds, against `express.static` on a file with the same bytes in a process of its ' +
    'own. 10 connections.',
  async measure(bench) {
    const { url, user, environment, ctx } = await startService(bench);
    const channelId = await openChannel(bench, ctx, user.id);
    const paths = Array.from({ length: viewers }, () => {
      const prefix = livePrefix(channelId);
      const grant = writeGrant(ctx.config.playback.keys, {
        ...{ kind: 'live', sessionId: randomUUID(), viewerCode: null, publisherCode: user.code, prefix },
        expiresSeconds: Math.floor(ctx.clock.now().getTime() / 1000) + 3600,
      });
      return `/s/${grant}/${prefix}720p.m3u8`;
    });
    const folder = await bench.folder();
    const name = 'playlist.m3u8';
    await mkdir(folder, { recursive: true });
    await writeFile(join(folder, name), await (await fetch(url + (paths[0] ?? ''))).text());
    const port = await freePort();
    await bench.start('scripts/bench/reference/staticFile.js', { ...environment, PORT: String(port), FOLDER: folder });
    const seconds = bench.quick ? 2 : 6;
    const rate = async (urls: readonly string[]): Promise<number> => (await load({ urls, seconds })).requestsPerSecond;
    return sideBySide({
      unit: 'requests/s',
      warmUps: 1,
      rounds: bench.quick ? 2 : 5,
      ours: () => rate(paths.map((path) => url + path)),
      reference: () => rate([`http://127.0.0.1:${port}/${name}`]),
      onProgress: bench.onProgress,
    });
  },
};

/** A channel whose encoder publishes until the figure ends. */
async function openChannel(bench: BenchContext, ctx: OpenContext, ownerId: string): Promise<string> {
  const channelId = randomUUID();
  const leaseOwner = randomUUID();
  const now = ctx.clock.now();
  await ctx.db.transaction(async (transaction) => {
    await claimStream(ctx, transaction, { id: channelId, ownerId, kind: 'LIVE_CHANNEL', path: 'bench' });
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
  let stored = 0;
  const store = async (): Promise<void> => {
    const startsAt = new Date(now.getTime() + stored * segmentSeconds * 1000);
    stored += 1;
    const renditions = heights.map((height) => ({
      ...{ name: `${height}p`, file: `${height}p-${stored}.m4s`, map: `init-${height}p.mp4`, bytes: 500_000 },
    }));
    await storeSegment(ctx, { runId, leaseOwner, startsAt, durationMicroseconds: segmentSeconds * 1e6, renditions });
  };
  for (let index = 0; index < 10; index += 1) await store();
  const timer = setInterval(() => void store().catch(() => {}), segmentSeconds * 1000);
  bench.cleanups.add(async () => clearInterval(timer));
  return channelId;
}
