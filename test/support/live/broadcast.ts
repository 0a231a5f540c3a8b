import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { formatDateTime } from '../../../shared/platform/formats/format.js';
import { utc } from '../../../shared/platform/formats/timeZone.js';
import { writeGrant } from '../../../shared/playback/grant.js';
import type { TestDeployment } from '../deployment.js';
import { createLoggedInUser, setLivePassword } from '../users.js';
import type { Publisher } from '../liveStreams.js';
import { expect } from 'chai';
import { LiveRecording } from '../../../shared/live/live.model.js';
import { recordEventHandler } from '../../../workers/ingestion/recordEvent.js';
import { eventually } from '../eventually.js';
import { readStored, runTool } from '../media.js';
import { LiveRun } from '../../../shared/streaming/streaming.model.js';
import { storedRows } from '../rows.js';
import { jobRunOf } from '../workers.js';

/** A channel with a current, recorded event, created over HTTP, and the URL of its playlist. */
export interface TestBroadcast extends Publisher {
  readonly eventId: string;
  readonly masterUrl: string;
}

export async function openBroadcast({ ctx, api }: TestDeployment): Promise<TestBroadcast> {
  const { token, userId, userCode } = await createLoggedInUser(ctx);
  const livePassword = await setLivePassword(ctx, userId);
  const post = async (path: string, body: object): Promise<Record<string, string>> => {
    const response = await api.call('POST', path, { token, body });
    if (response.status !== 201) throw new Error(`${path} responded ${response.status}: ${response.text}`);
    return response.body as Record<string, string>;
  };
  const streamPath = `path${randomUUID().slice(0, 8)}`;
  const { channelId = '' } = await post('/api/live/channel', { name: 'Channel', streamPath });
  const { eventId = '' } = await post(`/api/live/channel/${channelId}/event`, {
    name: 'Event',
    ...{ paymentMode: 'FREE', recordEvent: true },
    eventDate: formatDateTime(new Date(Date.now() - 60_000), utc),
    endDate: formatDateTime(new Date(Date.now() + 3_600_000), utc),
  });
  const grant = writeGrant(ctx.config.playback.keys, {
    ...{ kind: 'live', sessionId: randomUUID(), viewerCode: userCode, publisherCode: userCode },
    expiresSeconds: Math.round(Date.now() / 1000) + 3600,
    prefix: `live/${channelId}/`,
  });
  const masterUrl = `${api.url}/s/${grant}/live/${channelId}/master.m3u8`;
  return { ownerId: userId, userCode, livePassword, streamId: channelId, streamPath, eventId, masterUrl };
}

/** The observed states of the event since it went on air. */
export interface OnAirWatch {
  /** Resolves with the number of responses with `onAir` true, and with false afterwards. */
  stop(): Promise<{ readonly on: number; readonly off: number }>;
}

/** Polls the event. Errors of a service that is down are ignored. */
export async function watchOnAir({ ctx, api }: TestDeployment, { eventId }: TestBroadcast): Promise<OnAirWatch> {
  const { token } = await createLoggedInUser(ctx);
  const stopping = new AbortController();
  const counts = { on: 0, off: 0 };
  const watch = async (): Promise<void> => {
    while (!stopping.signal.aborted) {
      const response = await api.call('GET', `/api/public/live/event/${eventId}`, { token }).catch(() => null);
      if (response?.status === 200) {
        if (response.body.onAir === true) counts.on += 1;
        else if (counts.on > 0) counts.off += 1;
      }
      await sleep(300, undefined, { signal: stopping.signal }).catch(() => {});
    }
  };
  const ended = watch();
  return {
    async stop() {
      stopping.abort();
      await ended;
      return counts;
    },
  };
}

const framesPerSecond = 25;

/**
 * Ends the event of a broadcast whose encoder has stopped, and copies its recording as the job does. Fails unless the copy has
 * every frame of every listed segment.
 */
export async function expectCompleteRecording({ ctx }: TestDeployment, broadcast: TestBroadcast): Promise<void> {
  const { eventId, streamId } = broadcast;
  await eventually(async () => expect(await storedRows(ctx, LiveRun, { streamId, state: 'OPEN' })).to.deep.equal([]));
  ctx.clock.advance(Date.now() - ctx.clock.now().getTime());
  const now = ctx.clock.now();
  for (const [table, key] of [
    ['live_events', 'id'],
    ['live_recordings', 'event_id'],
  ])
    await ctx.db.change(`UPDATE ${table} SET ends_at = $now WHERE ${key} = $eventId`, { now, eventId });
  await recordEventHandler(jobRunOf(ctx, { eventId }, { isLastAttempt: false }));
  // Between two repetitions of its clip, an encoder pauses for less than a frame.
  const [listed] = await ctx.db.rows<{ segments: number; frames: number }>(
    `SELECT count(*)::int AS segments, sum(round(duration_microseconds * ${framesPerSecond} / 1e6))::int AS frames
       FROM live_segments segment JOIN live_sessions session ON session.id = segment.session_id
      WHERE session.stream_id = $streamId`,
    { streamId },
  );
  const { state, uploadId } = await ctx.db.model(LiveRecording).findByPk(eventId, { rejectOnEmpty: true });
  expect(state).to.equal('INGESTED');
  const file = await readStored(ctx, `sources/${uploadId}/original`);
  const counted = ['-count_packets', '-show_entries', 'stream=nb_read_packets', '-of', 'csv=p=0'];
  const frames = Number.parseInt(await runTool('ffprobe', ['-select_streams', 'v', ...counted, '-'], file), 10);
  expect(listed?.segments).to.be.greaterThan(4);
  expect(frames, `frames of ${listed?.segments} segments`).to.be.closeTo(listed?.frames ?? 0, 2);
}
