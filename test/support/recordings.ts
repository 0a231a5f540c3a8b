import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { RecordedEvent } from '../../shared/live/recording.lifecycle.js';
import type { Context } from '../../shared/platform/context.js';
import { LiveRun, LiveSegment, LiveSession } from '../../shared/streaming/streaming.model.js';
import { fragmentsIn, storedFragmentsIn, storedSamples, readMp4Tracks } from '../../shared/media/mp4/index.js';
import { makeStream } from './liveStreams.js';
import { makeClip } from './media.js';

/** A stream of a new user, and a recorded event on it that starts now and lasts `seconds`. */
export async function makeRecordedEvent(ctx: Context, seconds = 600): Promise<RecordedEvent> {
  const now = ctx.clock.now();
  const { streamId: channelId, ownerId } = await makeStream(ctx);
  const endsAt = new Date(now.getTime() + seconds * 1000);
  return { id: randomUUID(), channelId, ownerId, name: 'Evening news', startsAt: now, endsAt, recorded: true };
}

/** An encoder's media: a flash and a tone of 0.3 s from second `markAt` on. */
export interface Broadcast {
  readonly seconds: number;
  readonly markAt: number;
  readonly size?: string;
  readonly frameRate?: number;
  readonly sampleRate?: number;
  /** Without an audio track. */
  readonly isMute?: boolean;
}

/** Initialisation segment and media segments of 2 s, as a live process stores them. */
export interface BroadcastMedia {
  readonly init: Buffer;
  readonly segments: readonly { readonly media: Buffer; readonly durationMicroseconds: number }[];
}

export async function broadcastMedia(broadcast: Broadcast): Promise<BroadcastMedia> {
  const { seconds, markAt, size = '160x90', frameRate = 25, sampleRate = 48_000, isMute = false } = broadcast;
  const mark = (time: string): string => `between(${time},${markAt},${markAt + 0.3})`;
  const path = await makeClip('mp4', [
    ...[
      '-f',
      'lavfi',
      '-i',
      `nullsrc=s=${size}:r=${frameRate}:d=${seconds},geq=lum='16+200*${mark('T')}':cb=128:cr=128`,
    ],
    ...['-f', 'lavfi', '-i', `aevalsrc='0.7*sin(6000*t)*${mark('t')}':d=${seconds}:s=${sampleRate}`],
    ...(isMute ? ['-map', '0:v'] : []),
    ...['-c:v', 'libx264', '-preset', 'ultrafast', '-bf', '2', '-g', String(2 * frameRate), '-keyint_min', '1'],
    ...['-sc_threshold', '0', '-pix_fmt', 'yuv420p', '-c:a', 'aac', '-output_ts_offset', '1'],
    ...['-avoid_negative_ts', 'disabled', '-use_editlist', '0', '-f', 'mp4'],
    ...['-movflags', '+empty_moov+default_base_moof+frag_keyframe+skip_trailer+cmaf+frag_discont'],
  ]);
  const file = await readFile(path);
  const starts = moofsOf(file);
  const init = file.subarray(0, starts[0]);
  const video = readMp4Tracks(init).find(({ kind }) => kind === 'video');
  const segments = starts.map((start, index) => {
    const media = file.subarray(start, starts[index + 1]);
    const ticks = fragmentsIn(media)
      .filter(({ track }) => track === video?.id)
      .reduce((sum, { duration }) => sum + duration, 0);
    return { media, durationMicroseconds: Math.round((ticks / (video?.timescale ?? 1)) * 1e6) };
  });
  return { init, segments };
}

/** The samples of one track of a segment: presentation time in seconds, and bytes. */
export function samplesIn(init: Buffer, segment: Buffer, kind: 'video' | 'audio'): [number, Buffer][] {
  const samples = storedSamples(storedFragmentsIn(segment), readMp4Tracks(init), kind);
  return samples.map(({ shownAt, position, bytes }) => [shownAt, segment.subarray(position, position + bytes)]);
}

function moofsOf(file: Buffer): number[] {
  const starts: number[] = [];
  for (let at = 0; at < file.length; at += file.readUInt32BE(at))
    if (file.toString('latin1', at + 4, at + 8) === 'moof') starts.push(at);
  return starts;
}

/** Creates a session of the event's stream. */
export async function makeSession(ctx: Context, { channelId }: RecordedEvent, openedAt: Date): Promise<LiveSession> {
  const id = randomUUID();
  return ctx.db
    .model(LiveSession)
    .create({ id, streamId: channelId, folder: `${id}-0123456789`, state: 'ENDED', openedAt });
}

/** One rendition of a run. */
export interface PublishedRendition {
  readonly name: string;
  readonly media: BroadcastMedia;
  /** The rendition is dropped after this number of segments. */
  readonly segments?: number;
}

/**
 * Stores a run of a session, captured from `startsAt` on, and its segments in one or several renditions, highest
 * first. Resolves with the stored keys.
 */
export async function storeRun(
  ctx: Context,
  event: RecordedEvent,
  session: LiveSession,
  startsAt: Date,
  published: BroadcastMedia | readonly PublishedRendition[],
): Promise<string[]> {
  const renditions = 'init' in published ? [{ name: 'top', media: published }] : published;
  const runId = randomUUID();
  const { channelId: streamId, ownerId } = event;
  const { id: sessionId, folder } = session;
  const sessions = ctx.db.model(LiveSession);
  const { nextSequence, nextDiscontinuity: discontinuity } = await sessions.findByPk(sessionId, {
    rejectOnEmpty: true,
  });
  const times = { offeredAt: startsAt, openedAt: startsAt, endedAt: ctx.clock.now() };
  await ctx.db
    .model(LiveRun)
    .create({ id: runId, sessionId, streamId, ownerId, source: 'RTMP', state: 'ENDED', discontinuity, ...times });
  const put = async (name: string, body: Buffer): Promise<string> => {
    await ctx.storage.put(`live/${folder}/${name}`, body, { contentType: 'video/mp4' });
    return `live/${folder}/${name}`;
  };
  const mapOf = (name: string): string => `init-${runId}-${name}.mp4`;
  const keys = await Promise.all(renditions.map(({ name, media }) => put(mapOf(name), media.init)));
  const { segments = [] } = renditions.at(-1)?.media ?? {};
  let at = startsAt.getTime();
  for (const [index, { durationMicroseconds }] of segments.entries()) {
    const files = renditions.flatMap(({ name, media, segments: count = Number.POSITIVE_INFINITY }) => {
      const body = index < count ? media.segments[index]?.media : undefined;
      return body ? { name, file: `${runId}-${index}-${name}.m4s`, map: mapOf(name), body } : [];
    });
    for (const { file, body } of files) keys.push(await put(file, body));
    await ctx.db.model(LiveSegment).create({
      sessionId,
      sequence: nextSequence + index,
      runId,
      discontinuity,
      startsAt: new Date(at),
      durationMicroseconds,
      renditions: files.map(({ body, ...file }) => ({ ...file, bytes: body.length })),
      storedAt: ctx.clock.now(),
    });
    at += durationMicroseconds / 1000;
  }
  const next = { nextSequence: nextSequence + segments.length, nextDiscontinuity: discontinuity + 1 };
  await sessions.update(next, { where: { id: sessionId } });
  return keys;
}
