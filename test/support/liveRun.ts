import { createReadStream } from 'node:fs';
import type { Readable } from 'node:stream';
import { expect } from 'chai';
import type { OpenContext } from '../../shared/openContext.js';
import type { Storage } from '../../shared/platform/storage/storage.js';
import type { Context } from '../../shared/platform/context.js';
import { renewRuns, type RunProgress } from '../../shared/streaming/liveRun.lifecycle.js';
import { LiveRun, LiveSegment } from '../../shared/streaming/streaming.model.js';
import type { PackageOptions } from '../../workers/live/packaging/packageOptions.js';
import { flvSource } from '../../workers/live/packaging/runSource.js';
import { packageRun } from '../../workers/live/packaging/packageRun.js';
import type { PackagedRun } from '../../workers/live/packaging/segmentWriter.js';
import { openTestContext, type TestContext } from './context.js';
import { audioStarts, brightnesses, makeClip, readStored, runTool } from './media.js';
import { makeRun, makeStream } from './liveStreams.js';
import { makeUser } from './users.js';
import { useFixture } from './fixtures.js';

export interface FlvOptions {
  readonly seconds?: number;
  readonly size?: string;
  readonly rate?: string;
  /** Frames between keyframes. */
  readonly keyframes?: number;
  /** Encoding options of the video; null: none. */
  readonly video?: readonly string[] | null;
  readonly audio?: readonly string[] | null;
  /** Additional video filters. */
  readonly filter?: string;
  /** Seconds by which the audio starts later. */
  readonly audioDelay?: number;
}

/** A context with two small live renditions and their owner, for the tests of the calling `describe`. */
export function packagingFixture() {
  const ctx = useFixture(() => openTestContext({ LIVE_RENDITIONS: '180,120', LIVE_PRESET: 'ultrafast' }));
  return { ctx, owner: useFixture(() => makeUser(ctx)) };
}

/** Whether a run that is renewed alone continues. */
export async function renewRun(ctx: Context, run: RunProgress): Promise<boolean> {
  return (await renewRuns(ctx, [run])).has(run.runId);
}

/**
 * An FLV file as an encoder sends it: 320 x 180, a keyframe every two seconds, AAC. At the start of every second, the video
 * is white for 0.2 s while a tone plays.
 */
export function makeFlv(options: FlvOptions = {}): Promise<string> {
  const { seconds = 5, size = '320x180', rate = '30', keyframes = 60, filter = 'null', audioDelay = 0 } = options;
  const grid = ['-g', String(keyframes), '-keyint_min', String(keyframes), '-sc_threshold', '0', '-pix_fmt', 'yuv420p'];
  const flash = `drawbox=c=white:t=fill:enable='lt(mod(t+0.001,1),0.2)',${filter}`;
  const tone = 'if(lt(mod(t,1),0.2),0.5*sin(2*PI*1000*t),0)';
  const hasVideo = options.video !== null;
  const hasAudio = options.audio !== null;
  return makeClip('flv', [
    ...(hasVideo ? ['-f', 'lavfi', '-i', `testsrc2=s=${size}:r=${rate}:d=${seconds},lutyuv=y=val/2,${flash}`] : []),
    ...(hasAudio ? ['-f', 'lavfi', '-i', `aevalsrc='${tone}':s=48000:d=${seconds}`] : []),
    ...(hasVideo ? [...(options.video ?? ['-c:v', 'libx264', '-preset', 'ultrafast']), ...grid] : []),
    ...(hasAudio ? ['-af', `atrim=start=${audioDelay}`, ...(options.audio ?? ['-c:a', 'aac', '-ac', '2'])] : []),
    ...['-copyts', '-flvflags', 'no_duration_filesize'],
  ]);
}

/** A run as an encoder opens it. */
export async function openTestRun(ctx: OpenContext, ownerId: string): Promise<PackagedRun> {
  return makeRun(ctx, await makeStream(ctx, ownerId));
}

/** The same context with another `put` of its storage. */
export function withPut(ctx: TestContext, put: Storage['put']): TestContext {
  return { ...ctx, storage: Object.assign(Object.create(ctx.storage) as Storage, { put }) };
}

/** The segment number of a stored file; -1 for an initialisation segment. */
export function segmentOf(key: string): number {
  return Number(/-(\d{6})-/.exec(key)?.[1] ?? -1);
}

/** The segments that a run has stored. */
export interface Packaged {
  readonly reason: string;
  readonly run: LiveRun;
  readonly segments: readonly LiveSegment[];
  readonly folder: string;
}

/** Packages an FLV stream; a file as fast as ffmpeg can. */
export async function packageStream(
  ctx: OpenContext,
  ownerId: string,
  stream: Readable | string,
  overrides: Partial<PackageOptions> = {},
): Promise<Packaged> {
  const run = overrides.run ?? (await openTestRun(ctx, ownerId));
  const opened = (): Readable => (typeof stream === 'string' ? createReadStream(stream) : stream);
  const source = overrides.source ?? flvSource(opened());
  const { signal } = new AbortController();
  const { reason } = await packageRun({ ctx, log: ctx.log, signal, ...overrides, source, run });
  return { reason, ...(await storedRun(ctx, run)) };
}

export async function storedRun(
  ctx: OpenContext,
  { runId, sessionId, folder }: PackagedRun,
): Promise<Omit<Packaged, 'reason'>> {
  const where = { sessionId, runId };
  return {
    run: await ctx.db.model(LiveRun).findByPk(runId, { rejectOnEmpty: true }),
    segments: await ctx.db.model(LiveSegment).findAll({ where, order: [['sequence', 'ASC']] }),
    folder,
  };
}

/** The files of some segments of a rendition, as a player appends them, starting with the initialisation segment. */
function filesOf(ctx: OpenContext, folder: string, map: string, files: readonly string[]): Promise<Buffer[]> {
  return Promise.all([map, ...files].map((name) => readStored(ctx, `live/${folder}/${name}`)));
}

interface Packet {
  readonly pts: number;
  /** Byte offset in the media. */
  readonly position: number;
  readonly isKeyframe: boolean;
}

interface Packets {
  readonly video: readonly Packet[];
  readonly audio: readonly Packet[];
}

/** Packets in presentation order, in seconds. */
async function readPackets(media: Buffer): Promise<Packets> {
  const entries = ['-show_entries', 'packet=codec_type,pts_time,pos,flags', '-of', 'csv=p=0'];
  const lines = (await runTool('ffprobe', [...entries, '-'], media)).split('\n').filter((line) => line !== '');
  const packets = lines.map((line) => {
    const [kind, pts, position, flags = ''] = line.split(',');
    return { kind, pts: Number(pts), position: Number(position), isKeyframe: flags.startsWith('K') };
  });
  const of = (kind: string): Packet[] =>
    packets.filter((packet) => packet.kind === kind).toSorted((left, right) => left.pts - right.pts);
  return { video: of('video'), audio: of('audio') };
}

/** The packets of each segment that has the rendition, by sequence number. Segments with the same map are read together. */
async function packetsBySegment(
  ctx: OpenContext,
  folder: string,
  segments: readonly LiveSegment[],
  name: string,
): Promise<Map<number, Packets>> {
  const found = new Map<number, Packets>();
  const listed = segments.flatMap(({ sequence, renditions }) =>
    renditions.filter((rendition) => rendition.name === name).map(({ map, file }) => ({ sequence, map, file })),
  );
  for (const map of new Set(listed.map((one) => one.map))) {
    const files = listed.filter((one) => one.map === map);
    const names = files.map(({ file }) => file);
    const parts = await filesOf(ctx, folder, map, names);
    const { video, audio } = await readPackets(Buffer.concat(parts));
    let start = parts[0]?.length ?? 0;
    for (const [index, { sequence }] of files.entries()) {
      const end = start + (parts[index + 1]?.length ?? 0);
      const isInside = ({ position }: Packet): boolean => position >= start && position < end;
      found.set(sequence, { video: video.filter(isInside), audio: audio.filter(isInside) });
      start = end;
    }
  }
  return found;
}

/** The presentation times of all frames of a rendition, in order. */
export async function storedFrameTimes(
  ctx: OpenContext,
  { segments, folder }: Omit<Packaged, 'reason'>,
  name: string,
): Promise<number[]> {
  const packets = await packetsBySegment(ctx, folder, segments, name);
  return [...packets.values()].flatMap(({ video }) => video.map(({ pts }) => pts));
}

/** The presentation time of a next packet, at the distance of the last two packets. */
function endOf(packets: readonly Packet[]): number {
  const [before, last] = packets.slice(-2).map(({ pts }) => pts);
  return (last ?? Number.NaN) * 2 - (before ?? Number.NaN);
}

const toleranceSeconds = 0.004;

/**
 * Checks the guarantees of every player: each segment starts with a keyframe, has the same duration in all renditions and in
 * its row, and continues the previous one in video and audio, unless a discontinuity is in between.
 */
export async function expectPlayable(ctx: OpenContext, { segments, folder }: Omit<Packaged, 'reason'>): Promise<void> {
  const [first] = segments;
  const names = first?.renditions.map(({ name }) => name) ?? [];
  const starts: number[] = [];
  const renditions = await Promise.all(names.map((name) => packetsBySegment(ctx, folder, segments, name)));
  for (const [index, name] of names.entries())
    expectJoined(name, segments, renditions[index] ?? new Map<number, Packets>(), starts);
  for (const [index, segment] of segments.entries())
    expect(segment.sequence, 'sequence numbers').to.equal((first?.sequence ?? 0) + index);
}

/** `starts`: the starts of the segments in the renditions checked before. */
function expectJoined(
  name: string,
  segments: readonly LiveSegment[],
  packets: ReadonlyMap<number, Packets>,
  starts: number[],
): void {
  let before: { videoEnd: number; audioEnd: number; discontinuity: number } | undefined;
  for (const [index, { sequence, discontinuity, durationMicroseconds }] of segments.entries()) {
    const found = packets.get(sequence);
    if (!found) continue;
    const { video, audio } = found;
    const what = `${name} ${sequence}`;
    const start = video[0]?.pts ?? Number.NaN;
    const isCloseTo = (actual: number | undefined, expected: number, claim: string): unknown =>
      expect(actual, `${what} ${claim}`).to.be.closeTo(expected, toleranceSeconds);
    const videoEnd = endOf(video);
    expect(video[0]?.isKeyframe, `${what} starts with a keyframe`).to.equal(true);
    isCloseTo(videoEnd - start, durationMicroseconds / 1e6, 'has the duration of its row');
    isCloseTo(start, (starts[index] ??= start), 'starts with the other renditions');
    expect(audio.length, `${what} has audio`).to.be.greaterThan(0);
    if (before?.discontinuity === discontinuity) {
      isCloseTo(start, before.videoEnd, 'continues the previous video');
      isCloseTo(audio[0]?.pts, before.audioEnd, 'continues the previous audio');
    }
    before = { videoEnd, audioEnd: endOf(audio), discontinuity };
  }
}

/** The maximum sample of a rendition, relative to full scale 1; the tones of `makeFlv` reach half of it. */
export async function loudestSample(
  ctx: OpenContext,
  { segments, folder }: Packaged,
  rendition: string,
): Promise<number> {
  const files = segments.flatMap(({ renditions }) => renditions.find(({ name }) => name === rendition) ?? []);
  const names = files.map(({ file }) => file);
  const media = Buffer.concat(await filesOf(ctx, folder, files[0]?.map ?? '', names));
  const samples = Buffer.from(await runTool('ffmpeg', ['-i', '-', '-vn', '-f', 's16le', '-'], media), 'latin1');
  let loudest = 0;
  for (let at = 0; at + 2 <= samples.length; at += 2) loudest = Math.max(loudest, Math.abs(samples.readInt16LE(at)));
  return loudest / 32_768;
}

/** Seconds from each white frame to its tone, in the segments of one discontinuity. */
export async function audioOffsets(
  ctx: OpenContext,
  { segments, folder }: Packaged,
  rendition: string,
  discontinuity = segments[0]?.discontinuity,
): Promise<number[]> {
  const joined = segments.filter((segment) => segment.discontinuity === discontinuity);
  const files = joined.flatMap(({ renditions }) => renditions.find(({ name }) => name === rendition) ?? []);
  const names = files.map(({ file }) => file);
  const media = Buffer.concat(await filesOf(ctx, folder, files[0]?.map ?? '', names));
  const { video, audio } = await readPackets(media);
  const bright = (await brightnesses(media)).map((brightness) => brightness > 180);
  const flashes = bright.flatMap((is, frame) =>
    is && frame > 0 && !bright[frame - 1] ? (video[frame]?.pts ?? 0) : [],
  );
  const tones = (await audioStarts(media)).map((seconds) => (audio[0]?.pts ?? 0) + seconds);
  return flashes.flatMap((flash) => {
    const nearest = tones.toSorted((left, right) => Math.abs(left - flash) - Math.abs(right - flash))[0];
    return nearest === undefined || Math.abs(nearest - flash) > 0.5 ? [] : nearest - flash;
  });
}
