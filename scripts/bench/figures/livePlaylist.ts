import { randomUUID } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { OpenContext } from '../../../shared/context.js';
import { LiveChannel } from '../../../shared/live/live.model.js';
import { livePrefix, writeGrant } from '../../../shared/playback/grant.js';
import { openRun, renewRun, setRunMedia } from '../../../shared/streaming/liveRun.lifecycle.js';
import { liveSegmentSeconds } from '../../../shared/media/segmentSeconds.js';
import { storeLiveSegment } from '../../../shared/streaming/segment.service.js';
import { claimStream } from '../../../shared/streaming/streamPath.service.js';
import { initialisationName } from '../../../workers/live/packaging/segmentWriter.js';
import { startPartServer } from '../../../workers/live/lowLatency/partServer.js';
import type { PartStore } from '../../../workers/live/lowLatency/partStore.js';
import { freePort } from '../../embedded/freePort.js';
import type { BenchContext } from '../benchContext.js';
import type { Figure } from '../figure.js';
import { load } from '../load.js';
import { startService } from '../service.js';
import { sideBySide } from '../sideBySide.js';

const viewers = 1_000;
const heights = [720, 480, 240];

export const livePlaylistFigure: Figure = {
  name: 'live-playlist',
  title: 'Live playlist under a grant, 1,000 viewers of one channel, against bare `express.static`',
  target: { atLeast: 0.6 },
  method:
    'The built web process sends the media playlist of a channel under 1,000 grants in turn, while a segment in three ' +
    'renditions is stored every two seconds, against `express.static` on a file with the same bytes in a process of its ' +
    'own. 10 connections. In parentheses also the ratio of a playlist with parts of half a second to one without, for viewers ' +
    'that do not wait for the next part.',
  async measure(bench) {
    const { url, user, environment, ctx } = await startService(bench);
    const pathsOf = (channelId: string): string[] =>
      Array.from({ length: viewers }, () => {
        const prefix = livePrefix(channelId);
        const grant = writeGrant(ctx.config.playback.keys, {
          ...{ kind: 'live', sessionId: randomUUID(), viewerCode: null, publisherCode: user.code, prefix },
          expiresSeconds: Math.floor(ctx.clock.now().getTime() / 1000) + 3600,
        });
        return `${url}/s/${grant}/${prefix}720p.m3u8`;
      });
    const plain = pathsOf(await openChannel(bench, ctx, user.id, { hasParts: false }));
    const folder = await bench.folder();
    const name = 'playlist.m3u8';
    await mkdir(folder, { recursive: true });
    await writeFile(join(folder, name), await (await fetch(plain[0] ?? '')).text());
    const port = await freePort();
    await bench.start('scripts/bench/reference/staticFile.js', { ...environment, PORT: String(port), FOLDER: folder });
    const seconds = bench.quick ? 2 : 6;
    const rate = async (urls: readonly string[]): Promise<number> => (await load({ urls, seconds })).requestsPerSecond;
    const rounds = { unit: 'requests/s', warmUps: 1, rounds: bench.quick ? 2 : 5, onProgress: bench.onProgress };
    const measured = await sideBySide({
      ...{ ...rounds, ours: () => rate(plain) },
      reference: () => rate([`http://127.0.0.1:${port}/${name}`]),
    });
    const parted = pathsOf(await openChannel(bench, ctx, user.id, { hasParts: true }));
    const text = await (await fetch(parted[0] ?? '')).text();
    if (!text.includes('#EXT-X-PART:')) throw new Error('the playlist has no parts');
    const withParts = await sideBySide({ ...rounds, ours: () => rate(parted), reference: () => rate(plain) });
    const note = `${measured.note}; with parts ${withParts.result.toFixed(2)}, ${withParts.note}`;
    return { ...measured, note };
  },
};

const partSeconds = 0.5;
const partsOfSegment = liveSegmentSeconds / partSeconds;
const names = heights.map((height) => `${height}p`);
const initialisation = Buffer.from('initialisation');

/** A channel whose encoder publishes until the figure ends. */
async function openChannel(
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
    await renewRun(ctx, { runId, leaseOwner, lastMediaAt: ctx.clock.now(), receivedBytes: 0 });
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
