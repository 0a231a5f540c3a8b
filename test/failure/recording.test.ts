import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { BoxItem } from '../../shared/box/box.model.js';
import { Content } from '../../shared/content/content.model.js';
import { generationFolder } from '../../shared/content/storageKeys.js';
import { usageOf } from '../../shared/license/usage.service.js';
import { LiveRecording } from '../../shared/live/live.model.js';
import { queueRecordings, syncRecording, type RecordedEvent } from '../../shared/live/recording.lifecycle.js';
import { User } from '../../shared/user/user.model.js';
import { recoveryMs } from './crashUpload.js';
import { openDeployment, rtmpPortOf } from '../support/deployment.js';
import { eventually } from '../support/eventually.js';
import { openBroadcast } from '../support/live/broadcast.js';
import { keyAddress } from '../support/liveStreams.js';
import { listedFiles, liveCoding, makeVideo, runTool, settledContent, storedKeys } from '../support/media.js';
import {
  broadcastMedia,
  makeRecordedEvent,
  makeSession,
  samplesIn,
  storeRun,
  type BroadcastMedia,
} from '../support/recordings.js';
import { startEncoder, type Encoder } from '../support/rtmp/encoder.js';
import { useFixture } from '../support/fixtures.js';

const slow = { timeoutMs: recoveryMs, everyMs: 10 };

describe('a recording whose workers are killed', function () {
  this.timeout(recoveryMs + 60_000);
  const deployment = useFixture(() => openDeployment({ WORKER_LOCK_SECONDS: '3', QUICK_GENERATION: 'true' }));
  let published: BroadcastMedia;

  /** An ended event with three published runs of four seconds. */
  async function recordedEvent(): Promise<RecordedEvent> {
    const { ctx } = deployment;
    const event = await makeRecordedEvent(ctx, 60);
    const past = (seconds: number): Date => new Date(event.startsAt.getTime() + (seconds - 120) * 1000);
    published = await broadcastMedia({ seconds: 4, markAt: 1 });
    const session = await makeSession(ctx, event, past(0));
    for (const seconds of [0, 10, 20]) await storeRun(ctx, event, session, past(seconds), published);
    await ctx.db.model(User).update({ transcoderNotifyEnabled: true }, { where: { id: event.ownerId } });
    await ctx.db.transaction((tx) => syncRecording(ctx, tx, { ...event, startsAt: past(0), endsAt: past(60) }));
    return event;
  }

  function rowOf({ id }: RecordedEvent): Promise<LiveRecording> {
    return deployment.ctx.db.model(LiveRecording).findByPk(id, { rejectOnEmpty: true });
  }

  async function contentOf(event: RecordedEvent): Promise<Content> {
    const { ctx } = deployment;
    const { boxItemId } = await rowOf(event);
    const item = await ctx.db.model(BoxItem).findByPk(boxItemId ?? '', { rejectOnEmpty: true });
    return ctx.db.model(Content).findByPk(item.contentId, { rejectOnEmpty: true });
  }

  it('becomes one READY box item with all published media, at first from live segments, and one mail', async () => {
    const { ctx } = deployment;
    const event = await recordedEvent();
    await queueRecordings(ctx);
    for (const attempt of [1, 2]) {
      const worker = await deployment.start('worker');
      await eventually(async () => expect(await rowOf(event)).to.include({ state: 'COPYING', attempt }), slow);
      await worker.end('SIGKILL');
      expect(await rowOf(event)).to.include({ state: 'COPYING', attempt });
    }
    const copying = await deployment.start('worker');
    await eventually(async () => expect((await contentOf(event)).leaseOwner).to.not.equal(null), slow);
    await copying.end('SIGKILL');
    expect(await contentOf(event)).to.include({ state: 'PENDING', generation: 1, attempt: 1 });
    await deployment.start('worker');
    const content = await eventually(async () => settledContent(ctx, (await contentOf(event)).id), slow);
    expect(content.state, content.failureDetail ?? '').to.equal('READY');
    expect(content).to.include({ durationMs: 12_000, readyGeneration: 1 });
    for (const name of ['top', 'audio-0']) {
      const { segments, maps, media } = await listedFiles(ctx, generationFolder(content, 1), `${name}-a2.m3u8`);
      expect(segments, name).to.have.length(3 * published.segments.length);
      expect(segments.every(({ uri }) => /^copy\d-a2\//.test(uri))).to.equal(true);
      const frames = media.flatMap((bytes) => samplesIn(maps[0] as Buffer, bytes, 'video'));
      expect(frames).to.have.length(name === 'top' ? 3 * 4 * 25 : 0);
    }

    const full = await eventually(async () => {
      const now = await contentOf(event);
      if (now.readyGrid === null) throw new Error(`generation ${now.generation} is not ready`);
      return now;
    }, slow);
    expect(full).to.include({ state: 'READY', readyGeneration: 2, generation: 2 });
    expect(full.durationMs).to.be.closeTo(12_000, 100);
    // Viewers with an earlier playlist may still fetch the live segments for some time.
    expect((await listedFiles(ctx, generationFolder(full, 1), 'top-a2.m3u8')).media).to.have.length(6);
    expect(await ctx.db.model(BoxItem).count({ where: { ownerId: event.ownerId } })).to.equal(1);
    expect(await usageOf(ctx, event.ownerId)).to.include({ uploads: 1, reservedBytes: 0, reservedUploads: 0 });
    expect(await storedKeys(ctx, 'sources')).to.deep.equal([content.sourceKey]);
    await eventually(async () => expect(await readdir(join(ctx.config.dataDir, 'mail'))).to.have.length(1), slow);
  });
});

describe('a recording of an event whose encoder continues', function () {
  this.timeout(90_000);
  const deployment = useFixture(() =>
    openDeployment({
      ...{ QUICK_GENERATION: 'true', RTMP_PORT: '0', RTMP_HOST: '127.0.0.1' },
      ...{ LOG_LEVEL: 'info', LIVE_RENDITIONS: '180,100', LIVE_PRESET: 'ultrafast' },
    }),
  );
  let encoder: Encoder | undefined;
  let port: number;
  before(async () => {
    const [live] = await Promise.all([deployment.start('live'), deployment.start('web'), deployment.start('worker')]);
    port = await rtmpPortOf(live);
  });
  after(async () => {
    await encoder?.kill();
  });

  it('becomes READY without encoding, in all live renditions', async () => {
    const { ctx } = deployment;
    const broadcast = await openBroadcast(deployment);
    const { eventId, streamId } = broadcast;
    const clip = await makeVideo({ seconds: 4, size: '320x180', coding: liveCoding });
    encoder = startEncoder(clip, keyAddress(port, broadcast), { isLive: true });
    const stored = () =>
      ctx.db.rows(
        `SELECT 1 FROM live_segments segment JOIN live_sessions session ON session.id = segment.session_id
        WHERE session.stream_id = $streamId`,
        { streamId },
      );
    await eventually(async () => expect(await stored()).to.have.length.above(2), slow);
    const endsAt = new Date();
    for (const [table, key] of [
      ['live_events', 'id'],
      ['live_recordings', 'event_id'],
    ])
      await ctx.db.change(`UPDATE ${table} SET ends_at = $endsAt WHERE ${key} = $eventId`, { endsAt, eventId });
    const content = await eventually(async () => {
      const { boxItemId } = await ctx.db.model(LiveRecording).findByPk(eventId, { rejectOnEmpty: true });
      const item = await ctx.db.model(BoxItem).findByPk(boxItemId ?? '', { rejectOnEmpty: true });
      return settledContent(ctx, item.contentId);
    }, slow);
    expect(content).to.include({ state: 'READY', readyGeneration: 1, width: 320, height: 180 });
    const folder = generationFolder(content, 1);
    for (const name of ['180p', '100p']) {
      const { segments, media, maps } = await listedFiles(ctx, folder, `${name}-a1.m3u8`);
      expect(segments.length).to.be.above(2);
      expect(segments.every(({ uri }) => uri.startsWith('copy'))).to.equal(true);
      const counted = [
        ...['-count_frames', '-select_streams', 'v', '-show_entries', 'stream=nb_read_frames'],
        ...['-of', 'csv=p=0', '-'],
      ];
      // Each rendition has its own initialisation segment: on a slow machine the run may replace a rendition.
      const frames = await Promise.all(
        media.map(async (bytes, index) =>
          Number.parseInt(await runTool('ffprobe', counted, Buffer.concat([maps[index] as Buffer, bytes])), 10),
        ),
      );
      expect(frames.reduce((sum, count) => sum + count, 0) / 25, name).to.be.closeTo(
        (content.durationMs ?? 0) / 1000,
        0.05,
      );
    }
  });
});
