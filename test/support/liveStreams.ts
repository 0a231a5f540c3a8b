import { randomBytes, randomUUID } from 'node:crypto';
import type { Context } from '../../shared/platform/context.js';
import { type LiveRendition, type SegmentRendition, liveFileKey } from '../../shared/streaming/liveRendition.js';
import { openRun, type OpenedRun } from '../../shared/streaming/liveRun.lifecycle.js';
import { storeLiveSegment, type SegmentNumbers } from '../../shared/streaming/segment.service.js';
import { claimStream } from '../../shared/streaming/streamPath.service.js';
import { makeUser, setLivePassword } from './users.js';
import { LiveRun, type StreamKind } from '../../shared/streaming/streaming.model.js';
import { formatDateTime, type WireDateTime } from '../../shared/platform/formats/format.js';
import { fixedZone } from '../../shared/platform/formats/timeZone.js';

export interface TestStream {
  readonly streamId: string;
  readonly ownerId: string;
  readonly path: string;
}

/** A stream of a new user or of `ownerId`, without a channel. */
export async function makeStream(
  ctx: Context,
  ownerId?: string,
  kind: StreamKind = 'LIVE_CHANNEL',
): Promise<TestStream> {
  const owner = ownerId ?? (await makeUser(ctx)).id;
  const path = `path${randomBytes(6).toString('hex')}`;
  const streamId = randomUUID();
  await ctx.db.transaction((tx) => claimStream(ctx, tx, { id: streamId, ownerId: owner, kind, path }));
  return { streamId, ownerId: owner, path };
}

export interface TestRun extends OpenedRun {
  readonly leaseOwner: string;
}

/** An open run of an encoder. */
export async function makeRun(
  ctx: Context,
  { streamId, ownerId }: TestStream,
  partsUrl: string | null = null,
): Promise<TestRun> {
  const leaseOwner = randomUUID();
  const run = await openRun(ctx, {
    streamId,
    ownerId,
    source: 'RTMP',
    leaseOwner,
    clientAddress: '192.0.2.1',
    partsUrl,
  });
  return { ...run, leaseOwner };
}

/** A rendition with plausible figures. */
export function testRendition(name: string): LiveRendition {
  const height = Number.parseInt(name, 10);
  return {
    name,
    width: Math.round((height * 16) / 9),
    height,
    frameRate: 30,
    codecs: 'avc1.64001f,mp4a.40.2',
    peakBitrate: height * 3000,
    isCopy: false,
  };
}

export interface TestSegment {
  /** Names of the renditions, highest first. */
  readonly renditions?: readonly string[];
  readonly startsAt: Date;
  readonly durationSeconds?: number;
  /** Distinguishes the initialisation segments of encoders with different settings. */
  readonly encoder?: string;
  /** Initialisation segment of a rendition; by default, its name contains that of the encoder. */
  readonly mapOf?: (rendition: string) => string;
  readonly isDiscontinuous?: boolean;
}

/** Stores the files and the row of a segment; each file contains its own name. */
export async function makeSegment(ctx: Context, run: TestRun, segment: TestSegment): Promise<SegmentNumbers | null> {
  const { renditions = ['720p', '240p'], startsAt, durationSeconds = 2, encoder = 'x264', mapOf, ...rest } = segment;
  const stored: SegmentRendition[] = [];
  for (const name of renditions) {
    const file = `${name}-${startsAt.getTime()}-${run.runId.slice(0, 8)}.m4s`;
    const map = mapOf?.(name) ?? `init-${name}-${encoder}.mp4`;
    await putLiveFile(ctx, run.folder, map);
    const bytes = await putLiveFile(ctx, run.folder, file);
    stored.push({ name, file, map, bytes });
  }
  return storeLiveSegment(ctx, {
    ...rest,
    ...{ runId: run.runId, leaseOwner: run.leaseOwner, startsAt, renditions: stored },
    durationMicroseconds: Math.round(durationSeconds * 1e6),
  });
}

async function putLiveFile(ctx: Context, folder: string, file: string): Promise<number> {
  const contentType = file.endsWith('.mp4') ? 'video/mp4' : 'video/iso.segment';
  return (await ctx.storage.put(liveFileKey(folder, file), Buffer.from(file), { contentType })).bytes;
}

/** The runs of a stream, oldest first. */
export function runsOf(ctx: Context, streamId: string): Promise<LiveRun[]> {
  return ctx.db.model(LiveRun).findAll({ where: { streamId }, order: ['offeredAt', 'endedAt'] });
}

/** Ends the lease as if the run's process had crashed earlier. */
export async function loseLease(ctx: Context, { runId }: Pick<TestRun, 'runId'>): Promise<void> {
  await ctx.db.change("UPDATE live_runs SET lease_until = now() - interval '1 second' WHERE id = $runId", { runId });
}

/** A request's date and time: so many minutes after the test clock, in the local time of the offset. */
export function inMinutes(ctx: Context, minutes: number, offsetMs = 0): WireDateTime {
  return formatDateTime(new Date(ctx.clock.now().getTime() + minutes * 60_000), fixedZone(offsetMs));
}

/** A user with a stream, and the credentials of its encoder. */
export interface Publisher {
  readonly ownerId: string;
  readonly userCode: string;
  readonly livePassword: string;
  readonly streamId: string;
  readonly streamPath: string;
}

/** Creates a user with a live password and a stream. */
export async function makePublisher(ctx: Context): Promise<Publisher> {
  const user = await makeUser(ctx);
  const livePassword = await setLivePassword(ctx, user.id);
  const { streamId, path: streamPath } = await makeStream(ctx, user.id);
  return { ownerId: user.id, userCode: user.userCode, livePassword, streamId, streamPath };
}

type Login = Pick<Publisher, 'userCode' | 'livePassword' | 'streamPath'>;

/** The URL of an encoder that logs in with Adobe's challenge. */
export function challengeAddress(port: number, { userCode, livePassword, streamPath }: Login): string {
  return `rtmp://${userCode}:${livePassword}@127.0.0.1:${port}/live/${streamPath}`;
}

/** The stream key of an encoder with its credentials. */
export function streamKey({ userCode, livePassword, streamPath }: Login): string {
  return `${streamPath}?user=${userCode}&pass=${encodeURIComponent(livePassword)}`;
}

/** The URL of an encoder whose credentials are in the stream key. */
export function keyAddress(port: number, login: Login): string {
  return `rtmp://127.0.0.1:${port}/key/${streamKey(login)}`;
}
