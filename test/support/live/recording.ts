import { expect } from 'chai';
import { LiveRecording } from '../../../shared/live/live.model.js';
import type { RecordingPayload } from '../../../shared/live/recording.jobs.js';
import { recordEventHandler } from '../../../workers/ingestion/recordEvent.js';
import type { JobRun } from '../../../workers/runtime/jobTypes.js';
import { createWorkerContext } from '../../../workers/runtime/workerContext.js';
import type { TestDeployment } from '../deployment.js';
import { eventually } from '../eventually.js';
import { readStored, runTool } from '../media.js';
import type { TestBroadcast } from './broadcast.js';
import { LiveRun } from '../../../shared/streaming/streaming.model.js';
import { storedRows } from '../rows.js';

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
  await recordEventHandler({
    ...{ ctx: createWorkerContext(ctx), log: ctx.log, payload: { eventId }, attempt: 1, isLastAttempt: false },
    signal: new AbortController().signal,
    reportProgress: () => {},
  } satisfies JobRun<RecordingPayload>);
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
