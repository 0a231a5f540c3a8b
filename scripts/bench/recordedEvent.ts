import { randomUUID } from 'node:crypto';
import { readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import pLimit from 'p-limit';
import { syncRecording } from '../../shared/live/recording.lifecycle.js';
import { liveSegmentSeconds } from '../../shared/media/segmentSeconds.js';
import type { Context } from '../../shared/platform/context.js';
import type { SegmentRendition } from '../../shared/streaming/liveRendition.js';
import { LiveRun, LiveSegment, LiveSession, LiveStream } from '../../shared/streaming/streaming.model.js';
import type { BenchContext } from './benchContext.js';
import { runFfmpeg } from './ffmpeg.js';

const ladder = [
  { name: '720p', size: '1280x720', rate: '3500k' },
  { name: '480p', size: '854x480', rate: '1500k' },
  { name: '240p', size: '426x240', rate: '450k' },
] as const;

/** The files of what was published during an event: in each rendition a folder with `init.mp4` and segments of 2 s. */
export interface RecordedEventFiles {
  readonly folder: string;
  readonly segments: number;
}

/** Makes the segments of an event: the clip of the bench again and again, encoded once. */
export async function publishEvent(bench: BenchContext, seconds: number): Promise<RecordedEventFiles> {
  const clip = await bench.clips.h264();
  const folder = await bench.folder();
  bench.say(`Creating the segments of an event of ${seconds} s ...`);
  for (const { name, size, rate } of ladder) {
    const grid = `-g 60 -keyint_min 60 -sc_threshold 0 -bf 0 -s ${size}`.split(' ');
    const coding = `-c:v libx264 -preset ultrafast -b:v ${rate} -maxrate ${rate} -bufsize ${rate} -c:a aac -b:a 128k`;
    await runFfmpeg(bench, folder, ['-i', clip.path, ...grid, ...coding.split(' '), `${name}.mp4`]);
    const loops = Math.ceil(seconds / clip.seconds) - 1;
    const hls = `-f hls -hls_time ${liveSegmentSeconds} -hls_list_size 0 -hls_segment_type fmp4`.split(' ');
    const names = ['-hls_fmp4_init_filename', `${name}-init.mp4`, '-hls_segment_filename', `${name}-%05d.m4s`];
    const input = ['-stream_loop', String(loops), '-i', `${name}.mp4`, '-t', String(seconds), '-c', 'copy'];
    await runFfmpeg(bench, folder, [...input, ...hls, ...names, `${name}.m3u8`]);
  }
  const files = await readdir(folder);
  return { folder, segments: files.filter((file) => /^720p-\d+\.m4s$/.test(file)).length };
}

/** An event that is on air, as the live process stores it, but for its last segment. */
export interface EventOnAir {
  readonly eventId: string;
  readonly endsAt: Date;
  /** Stores the row of the segment during which the event ends. */
  storeLastSegment(): Promise<void>;
}

/** Stores the files and the rows of an event that ends in half a second, in the middle of its last segment. */
export async function putOnAir(ctx: Context, ownerId: string, published: RecordedEventFiles): Promise<EventOnAir> {
  const [streamId, sessionId, runId, eventId] = [randomUUID(), randomUUID(), randomUUID(), randomUUID()];
  const folder = `${sessionId}-${'0'.repeat(32)}`;
  const files = await storeFiles(ctx, folder, published);
  const endsAt = new Date(ctx.clock.now().getTime() + 500);
  const startsAt = new Date(endsAt.getTime() - (files.length - 0.5) * liveSegmentSeconds * 1000);
  const stream = {
    id: streamId,
    ownerId,
    kind: 'LIVE_CHANNEL',
    path: `bench-${streamId}`,
    createdAt: startsAt,
  } as const;
  await ctx.db.model(LiveStream).create(stream);
  const counted = { nextSequence: files.length, nextDiscontinuity: 1, state: 'OPEN' } as const;
  await ctx.db.model(LiveSession).create({ id: sessionId, streamId, folder, openedAt: startsAt, ...counted });
  const run = { id: runId, sessionId, streamId, ownerId, source: 'RTMP', state: 'OPEN', discontinuity: 0 } as const;
  const lease = { leaseOwner: 'bench', leaseUntil: new Date(endsAt.getTime() + 3_600_000), offeredAt: startsAt };
  await ctx.db.model(LiveRun).create({ ...run, ...lease, openedAt: startsAt });
  const rows = files.map((renditions, sequence) => ({
    ...{ sessionId, sequence, runId, discontinuity: 0, storedAt: startsAt, renditions },
    startsAt: new Date(startsAt.getTime() + sequence * liveSegmentSeconds * 1000),
    durationMicroseconds: liveSegmentSeconds * 1e6,
  }));
  const last = rows.pop();
  await ctx.db.model(LiveSegment).bulkCreate(rows);
  const event = { id: eventId, channelId: streamId, ownerId, name: 'An event', recorded: true, startsAt, endsAt };
  await ctx.db.transaction((tx) => syncRecording(ctx, tx, event));
  return {
    eventId,
    endsAt,
    async storeLastSegment() {
      if (last) await ctx.db.model(LiveSegment).create(last);
    },
  };
}

/** Resolves with the files of each segment, as its row has them. */
async function storeFiles(
  ctx: Context,
  to: string,
  { folder, segments }: RecordedEventFiles,
): Promise<SegmentRendition[][]> {
  const limit = pLimit(8);
  const put = (file: string): Promise<number> =>
    limit(async () => {
      const body = await readFile(join(folder, file));
      await ctx.storage.put(`live/${to}/${file}`, body, { contentType: 'video/mp4' });
      return body.length;
    });
  await Promise.all(ladder.map(({ name }) => put(`${name}-init.mp4`)));
  return Promise.all(
    Array.from({ length: segments }, (_, sequence) =>
      Promise.all(
        ladder.map(async ({ name }) => {
          const file = `${name}-${String(sequence).padStart(5, '0')}.m4s`;
          return { name, file, map: `${name}-init.mp4`, bytes: await put(file) };
        }),
      ),
    ),
  );
}
